import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  type ChainGenesisInputs,
  type GenesisContracts,
  type GenesisRoots,
  l2Alloc,
  l2GenesisRoots,
  l2StateKey,
} from '../../protocol/genesis/index.ts';
import { hkdf } from '../../system/crypto/hkdf.ts';
import { seedOf } from '../../system/crypto/mnemonic.ts';
import { publicKeyOf } from '../../system/crypto/secp256k1.ts';
import { openCache, sha256 } from '../../system/files/cache.ts';
import { readText } from '../../system/files/folder.ts';
import { BUILD } from '../../system/program/build.ts';
import { packageRoot } from '../../system/program/entry.ts';
import { genesisContracts } from '../folder/genesis-contracts.ts';
import type { PlanInputs } from '../plan/inputs.ts';
import { cacheFolder } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';
import { anvilPath } from './anvil.ts';
import type { LoadedSpec } from './loaded-spec.ts';
import { ownBundle } from './package-files.ts';

/** Addresses allocated for `portRequests`, the portals of an L1 that has begun, host names of an exported network. */
type Places = Pick<PlanInputs, 'hiddenHost' | 'ports' | 'portals' | 'hostNames'>;

/** Returns the inputs of planning a loaded spec beside the spec itself. `home`: folder of all devnets. */
export function planInputs(
  io: Pick<Io, 'env'>,
  { spec, files }: Pick<LoadedSpec, 'spec' | 'files'>,
  home: string,
  places: Places,
  now = Date.now() / 1000,
): PlanInputs {
  const contracts = genesisContracts();
  return {
    now,
    home: join(home, spec.name),
    cache: cacheFolder(home),
    nodePath: process.execPath,
    distDir: join(packageRoot(), 'dist'),
    image: packageImage(),
    anvilPath: anvilPath(io.env),
    ...places,
    contracts,
    publicKeyOf: (privateKey) => publicKeyOf(privateKey, 'compressed'),
    hkdf,
    seedOf,
    bundleOrigin: (fork) => String(ownBundle(fork)?.metadata['origin']),
    roots: (inputs) => rootsOf(home, inputs, contracts),
    ...files,
  };
}

/** Returns the name of the package's own container image. Each build of the package has its own. */
export function packageImage(): string {
  const { version } = JSON.parse(readText(join(packageRoot(), 'package.json')) ?? '{}') as { version?: string };
  return `rollup-devnet:${version ?? '0'}-${BUILD?.slice(0, 12) ?? 'source'}`;
}

/**
 * Returns the roots of a genesis state. The package holds those of common states; others are computed once and
 * cached.
 */
function rootsOf(home: string, inputs: ChainGenesisInputs, contracts: GenesisContracts): GenesisRoots {
  const state = l2StateKey(inputs, contracts);
  const baked = contracts.l2.roots[state];
  if (baked !== undefined) return baked;
  const build = readText(join(packageRoot(), 'dist', 'contracts.hash')) ?? '';
  const key = createHash('sha256').update(`${build} ${state}`).digest('hex');
  const cache = openCache(cacheFolder(home, 'roots'), sha256);
  const text = cache.read(key);
  if (text !== undefined) return JSON.parse(text.toString()) as GenesisRoots;
  const { stateRoot, messagePasserRoot } = l2GenesisRoots(l2Alloc(inputs, contracts));
  cache.write(key, JSON.stringify({ stateRoot, messagePasserRoot }));
  return { stateRoot, messagePasserRoot };
}
