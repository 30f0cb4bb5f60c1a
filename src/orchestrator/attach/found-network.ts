import { dirname, join } from 'node:path';
import { useKeccak } from '../../protocol/hash.ts';
import { wasmKeccak } from '../../system/crypto/keccak.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { makeFolders, remove, writePrivate } from '../../system/files/folder.ts';
import { hostNamesOf } from '../export/host-names.ts';
import { chainsWithOwnMnemonic, loadNetwork, type NetworkPaths, NO_SECRETS } from '../export/network-folder.ts';
import { placesOf } from '../export/places.ts';
import { type Unit, unitsOf } from '../export/unit.ts';
import { planUnits } from '../export/unit-plan.ts';
import { homeOf } from '../folder/home.ts';
import type { Plan } from '../plan/plan.ts';
import type { Spec } from '../spec/schema/types.ts';
import type { Io } from '../terminal/io.ts';
import type { FoundNetwork } from './engine/engine.ts';
import { mustBeOfThisVersion } from './engine/failures.ts';

/** An exported network as each of its units plans it, without its secrets. */
export interface UnitPlan {
  readonly plan: Plan;
  readonly units: readonly Unit[];
  /** Whether the keys of a chain are those of the published mnemonic. */
  readonly isPublic: (chain: string) => boolean;
  /** Ethereum fork of L1. */
  readonly hardfork: Spec['l1']['hardfork'];
}

/** Time (Unix seconds) at which it is planned. Addresses do not depend on it. */
const ANY_TIME = 1_000_000_000;

/**
 * Plans a network from the files that its engine has.
 * Keys of its peers are left out, because they follow from the seed.
 * @throws Failure `attach` (exit 2) if another version exported it, or its engine lacks the files
 */
export async function planFound(io: Io, { devnet, version, files }: FoundNetwork, words: string): Promise<UnitPlan> {
  mustBeOfThisVersion(words, devnet, version);
  if (files['network.json'] === undefined)
    throw new Failure('attach', `${words} has no spec of ${devnet}`, {
      exit: EXIT.usage,
      data: { reason: 'no-spec' },
      hint: 'export the network again, and bring that export there',
    });
  useKeccak(await wasmKeccak());
  return await withFiles(io, { devnet, files }, async (paths, folder) => {
    const loaded = await loadNetwork(io, paths, ANY_TIME);
    const plan = withoutPeers(planUnits(io, loaded, folder, ANY_TIME));
    const secret = chainsWithOwnMnemonic(paths);
    const { spec, clients } = loaded;
    const units = unitsOf(plan, { hostNames: hostNamesOf(spec), places: placesOf(spec), clients });
    return { plan, units, isPublic: (chain) => !secret.includes(chain), hardfork: spec.l1.hardfork };
  });
}

/** Writes the files of a network where a task reads them, and removes them after it. Its secrets are not known. */
export async function withFiles<T>(
  io: Io,
  { devnet, files }: Pick<FoundNetwork, 'devnet' | 'files'>,
  task: (paths: NetworkPaths, folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(homeOf(io), '.attaching', `${devnet}-${process.pid}`);
  const paths = { network: join(folder, 'devnet'), secrets: join(folder, 'secrets.json') };
  try {
    for (const [path, text] of Object.entries(files)) write(join(paths.network, path), text);
    write(paths.secrets, NO_SECRETS);
    return await task(paths, folder);
  } finally {
    remove(folder);
  }
}

function write(path: string, text: string): void {
  makeFolders(dirname(path));
  writePrivate(path, text, 0o600);
}

function withoutPeers(plan: Plan): Plan {
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => ({ ...node, cl: { ...node.cl, p2p: '' } })),
  }));
  return { ...plan, network: { ...plan.network, chains } };
}
