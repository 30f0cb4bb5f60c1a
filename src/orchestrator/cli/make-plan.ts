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
import type { RollupConfig } from '../../protocol/types.ts';
import { packageRoot } from '../../system/entry.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { readJson } from '../../system/files.ts';
import { privateFolder, readText, replaceFile } from '../../system/folder.ts';
import { hkdf } from '../../system/hkdf.ts';
import { publicKeyOf } from '../../system/secp256k1.ts';
import { planNetwork } from '../plan/network.ts';
import type { Plan } from '../plan/plan.ts';
import { genesisContracts } from '../run/genesis-contracts.ts';
import type { Spec } from '../spec/spec.ts';
import { anvilPath } from './anvil.ts';
import type { Io } from './command.ts';
import type { LoadedSpec } from './load-spec.ts';

/** Plans a loaded spec. `home` is the folder of all devnets, `ports` what was allocated for `portRequests`. */
export function makePlan(
  io: Pick<Io, 'env'>,
  { spec, clients }: LoadedSpec,
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
    bundleTexts: bundleTexts(spec),
    rollupConfigs: rollupConfigs(spec),
    genesisConfigs: genesisConfigs(spec),
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

function bundleTexts({ chains }: Spec): Readonly<Record<string, string>> {
  const paths = Object.values(chains).flatMap(({ bundles }) => Object.values(bundles));
  return Object.fromEntries(
    paths.map((path) => {
      readJson(path);
      return [path, readText(path)!] as const;
    }),
  );
}

function rollupConfigs({ chains }: Spec): Readonly<Record<string, RollupConfig>> {
  return Object.fromEntries(
    Object.values(chains).flatMap(({ from }) => {
      if (from === null) return [];
      const config = readJson(from.rollup) as Partial<RollupConfig> | null;
      if (typeof config?.genesis?.l2_time === 'number' && typeof config.l2_chain_id === 'number')
        return [[from.rollup, config as RollupConfig] as const];
      throw new Failure(
        'chain-files',
        `${from.rollup} is no rollup config: it has no genesis.l2_time or no l2_chain_id`,
        { exit: EXIT.usage },
      );
    }),
  );
}

function genesisConfigs({ chains }: Spec): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return Object.fromEntries(
    Object.values(chains).flatMap(({ from }) => {
      if (from === null) return [];
      const { config } = (readJson(from.genesis) ?? {}) as { readonly config?: unknown };
      if (typeof config === 'object' && config !== null)
        return [[from.genesis, config as Readonly<Record<string, unknown>>] as const];
      throw new Failure('chain-files', `${from.genesis} is no genesis file: it has no config`, { exit: EXIT.usage });
    }),
  );
}
