import type { Fork, ForkSchedule } from '../../../protocol/forks/index.ts';
import type {
  ChainGenesisInputs,
  DevAccount,
  GenesisFunds,
  L1GenesisInputs,
  RoleAccounts,
} from '../../../protocol/genesis/index.ts';
import type { Hex, RollupConfig } from '../../../protocol/types.ts';
import type { ChainSpec } from '../../spec/schema/types.ts';
import type { ForkClock } from '../../spec/schema/values.ts';

/** A chain of the spec with its schedule, genesis, accounts and contracts computed. */
export interface PlannedChain {
  readonly name: string;
  readonly spec: ChainSpec;
  readonly chainId: number;
  readonly clock: ForkClock;
  readonly schedule: ForkSchedule;
  readonly genesis: ChainGenesisInputs;
  readonly rollup: RollupConfig;
  readonly genesisHash: Hex;
  readonly roles: RoleAccounts;
  /** What its genesis state has on L2. */
  readonly funds: GenesisFunds;
  /** Funded on both layers, with their keys. */
  readonly accounts: readonly DevAccount[];
  /** L1 contracts by name. */
  readonly contracts: Readonly<Record<string, Hex>>;
  readonly genesisFile: string;
  readonly rollupFile: string;
  /** Forks whose upgrade transactions its nodes are given. */
  readonly bundleForks: readonly Fork[];
  /** Folder of upgrade bundles; undefined if no fork needs one. */
  readonly bundleFolder: string | undefined;
}

/** The genesis of L1 and of all chains on it. */
export interface Geneses {
  readonly l1: { readonly inputs: L1GenesisInputs; readonly hash: Hex };
  readonly chains: readonly PlannedChain[];
}
