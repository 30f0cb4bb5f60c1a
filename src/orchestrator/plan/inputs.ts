import type {
  ChainGenesisInputs,
  ExtraAlloc,
  GenesisContracts,
  GenesisFunds,
  GenesisRoots,
} from '../../protocol/genesis/index.ts';
import type { RollupConfig } from '../../protocol/types.ts';
import type { Hkdf } from './keys.ts';

/** Host names by task. */
export type HostNames = Readonly<Record<string, string>>;

/** Inputs of planning beside the spec and the templates. The same inputs give the same plan. */
export interface PlanInputs {
  /** Unix seconds. */
  readonly now: number;
  /** Absolute path of the devnet's folder. */
  readonly home: string;
  /** Absolute path of the cache folder that all devnets share. */
  readonly cache: string;
  /** Absolute paths of Node and of the folder with this package's programs. */
  readonly nodePath: string;
  readonly distDir: string;
  /** Name of the package's own container image. */
  readonly image: string;
  /** Path of anvil's binary, or its bare name. */
  readonly anvilPath: string;
  /** Address that L1 listens at behind a gate (see `hiddenPlace`). */
  readonly hiddenHost: string;
  /**
   * Host names by task, if the processes run elsewhere, each in a network of its own. L1 and its beacon node share one.
   * Absent: all run on this machine.
   */
  readonly hostNames?: HostNames | undefined;
  /** Port numbers by the keys of `portRequests`. */
  readonly ports: Readonly<Record<string, number>>;
  readonly contracts: GenesisContracts;
  /** The compressed secp256k1 public key of a private one, 32 bytes. */
  publicKeyOf(privateKey: Uint8Array): Uint8Array;
  readonly hkdf: Hkdf;
  /** The seed of a mnemonic (BIP-39). */
  seedOf(mnemonic: string): Uint8Array;
  /**
   * Roots of a chain's genesis state, as `l2GenesisRoots(l2Alloc(inputs, contracts))` computes them. May be cached.
   */
  roots(inputs: ChainGenesisInputs): GenesisRoots;
  /** Whose bytecode the package's upgrade bundle of a fork has: `official` or `own`. */
  bundleOrigin(fork: string): string;
  /** Texts of upgrade bundles that the spec gives, by path. */
  readonly bundleTexts: Readonly<Record<string, string>>;
  /** Rollup configs of existing chains by path. */
  readonly rollupConfigs: Readonly<Record<string, RollupConfig>>;
  /** `config` of genesis files of existing chains by path. */
  readonly genesisConfigs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What the genesis states of existing chains have, by the path of their genesis file. */
  readonly genesisFunds: Readonly<Record<string, GenesisFunds>>;
  /**
   * What the portals hold at genesis (decimal wei) by chain id, if L1 has begun already: a snapshot's. A chain that
   * is not in it has a portal without ether. Absent: the plan decides.
   */
  readonly portals?: Readonly<Record<string, string>> | undefined;
  /** Genesis accounts that the user gives, by the path of their file. */
  readonly allocs: Readonly<Record<string, ExtraAlloc>>;
}

/** Returns the folder of a task. Its log lies beside the folder. */
export function taskFolder({ home }: Pick<PlanInputs, 'home'>, id: string): string {
  return `${home}/nodes/${id}`;
}
