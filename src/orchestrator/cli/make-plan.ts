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
import { packageRoot } from '../../system/entry.ts';
import { privateFolder, readText, replaceFile } from '../../system/folder.ts';
import { hkdf } from '../../system/hkdf.ts';
import { publicKeyOf } from '../../system/secp256k1.ts';
import { planNetwork } from '../plan/network.ts';
import type { Plan } from '../plan/plan.ts';
import { genesisContracts } from '../run/genesis-contracts.ts';
import { anvilPath } from './anvil.ts';
import type { Io } from './command.ts';
import type { LoadedSpec } from './load-spec.ts';

/** Plans a loaded spec. `home` is the folder of all devnets, `ports` what was allocated for `portRequests`. */
export function makePlan(
  io: Pick<Io, 'env'>,
  { spec, clients, files }: LoadedSpec,
  home: string,
  ports: Readonly<Record<string, number>>,
  now = Date.now() / 1000,
): Plan {
  const contracts = genesisContracts();
  const cache = join(home, '.cache');
  return planNetwork(spec, clients, {
    now,
    home: join(home, spec.name),
    cache,
    nodePath: process.execPath,
    distDir: join(packageRoot(), 'dist'),
    anvilPath: anvilPath(io.env),
    ports,
    contracts,
    publicKeyOf: (privateKey) => publicKeyOf(privateKey, 'compressed'),
    hkdf,
    roots: (inputs) => rootsOf(cache, inputs, contracts),
    ...files,
  });
}

/** Roots of a genesis state: those of usual ones are in the package, others are computed once for all networks that have this state. */
function rootsOf(cache: string, inputs: ChainGenesisInputs, contracts: GenesisContracts): GenesisRoots {
  const state = l2StateKey(inputs, contracts);
  const baked = contracts.l2.roots[state];
  if (baked !== undefined) return baked;
  const build = readText(join(packageRoot(), 'dist', 'contracts.hash')) ?? '';
  const key = createHash('sha256').update(`${build} ${state}`).digest('hex');
  const file = join(cache, 'roots', `${key}.json`);
  const known = readText(file);
  if (known !== undefined && /^\{"stateRoot":"0x[0-9a-f]{64}","messagePasserRoot":"0x[0-9a-f]{64}"\}$/.test(known))
    return JSON.parse(known) as GenesisRoots;
  const { stateRoot, messagePasserRoot } = l2GenesisRoots(l2Alloc(inputs, contracts));
  privateFolder(join(cache, 'roots'));
  replaceFile(file, JSON.stringify({ stateRoot, messagePasserRoot }));
  return { stateRoot, messagePasserRoot };
}
