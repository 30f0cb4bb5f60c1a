import type { ForkSchedule } from '../forks/index.ts';
import type { BlockId, Hex, RollupConfig, SystemConfig } from '../types.ts';
import type { ExtraAlloc } from './extra-alloc.ts';

/** Inputs of the genesis of one rollup (op-chain-ops: `DeployConfig`). Plain JSON data: a plan contains it. */
export interface ChainGenesisInputs {
  readonly chainId: number;
  readonly l1ChainId: number;
  /** Unix seconds, of L1 and L2. */
  readonly genesisTime: number;
  /** Seconds. */
  readonly blockTime: number;
  /** At or before the genesis time (0, say): part of the genesis state. */
  readonly schedule: ForkSchedule;
  /** Funded on L2, and on L1 by `l1Genesis`. Balance in decimal wei. */
  readonly accounts: readonly FundedAccount[];
  /** In force at genesis; its gas limit is that of the genesis block. */
  readonly systemConfig: SystemConfig;
  readonly roles: ChainRoles;
  readonly eip1559: Eip1559Constants;
  readonly rollup: RollupConstants;
  readonly withdrawals: WithdrawalConstants;
  /** Batches are on a DA server. Absent: on L1. */
  readonly altDa?: NonNullable<RollupConfig['alt_da']>;
  /** Accounts of the user's own, laid over the L2 state. */
  readonly alloc?: ExtraAlloc;
}

/** An account with a balance at genesis. */
export interface FundedAccount {
  readonly address: Hex;
  /** Decimal wei. */
  readonly balance: string;
}

/** Accounts of the roles. All but the signer are funded on L1. */
export interface ChainRoles {
  /** Owner of the system config and the proxy admins, guardian of the portal, recipient of the fee vaults. */
  readonly owner: Hex;
  readonly proposer: Hex;
  readonly challenger: Hex;
  /** Signer of gossip: the sequencer's account. */
  readonly unsafeBlockSigner: Hex;
}

/** Base fee constants of the chain config; system config values other than zero replace them from holocene on. */
export interface Eip1559Constants {
  readonly elasticity: number;
  readonly denominator: number;
  readonly eip1559DenominatorCanyon: number;
}

/** Constants of rollup.json. */
export interface RollupConstants {
  /** Seconds. */
  readonly maxSequencerDrift: number;
  /** L1 blocks. */
  readonly seqWindowSize: number;
  /** L1 blocks. */
  readonly channelTimeout: number;
}

/** Systems by which L1 has L2's state: outputs in one contract, or a permissioned dispute game for each. */
export const WITHDRAWAL_SYSTEMS = ['output-oracle', 'dispute-games'] as const;
/** One of {@link WITHDRAWAL_SYSTEMS}. */
export type WithdrawalSystem = (typeof WITHDRAWAL_SYSTEMS)[number];

/** Constants of withdrawals. Times in seconds. */
export interface WithdrawalConstants {
  readonly system: WithdrawalSystem;
  /** L2 blocks between two outputs of the oracle. */
  readonly submissionInterval: number;
  /** From the proof of a withdrawal to its finalization. */
  readonly finalizationPeriod: number;
  /** From the creation of an unchallenged game to its resolution. */
  readonly gameClock: number;
  /** From the resolution of a game to the finalization of withdrawals that were proved against it. */
  readonly gameFinality: number;
  /** Output root of L2's block 0, from which outputs go on. */
  readonly startingRoot: Hex;
  /** Balance of the portal on L1 at genesis: decimal wei. Withdrawals of L2's first ether are paid from it. */
  readonly portalBalance: string;
}

/** Ethereum forks at which an L1 can start, the oldest first. */
export const L1_HARDFORKS = ['cancun', 'prague', 'osaka'] as const;
/** One of {@link L1_HARDFORKS}. */
export type L1Hardfork = (typeof L1_HARDFORKS)[number];

/** Forks that an L1 can activate after its genesis, the oldest first. */
export const L1_LATER_FORKS = ['prague', 'osaka', 'bpo1', 'bpo2'] as const;
/** Activation times (Unix seconds) by fork of L1. */
export type L1ForkTimes = { readonly [name in (typeof L1_LATER_FORKS)[number]]?: number };

/** Blob counts of a fork of L1, as `blobSchedule` of its chain configuration states them (EIP-7840). */
export interface L1BlobCounts {
  readonly target: number;
  readonly max: number;
  readonly baseFeeUpdateFraction?: number | undefined;
}

/** Blob counts by fork of L1. The others have those of mainnet. */
export type L1BlobSchedule = {
  readonly [name in L1Hardfork | (typeof L1_LATER_FORKS)[number]]?: L1BlobCounts;
};

/** Inputs of the L1 genesis. */
export interface L1GenesisInputs {
  readonly chainId: number;
  /** In force from genesis on. */
  readonly hardfork: L1Hardfork;
  /** Later forks, by the Unix seconds of their activation. */
  readonly forks?: L1ForkTimes;
  readonly blobSchedule?: L1BlobSchedule;
  /** Of a block; absent: {@link L1_GAS_LIMIT}. */
  readonly gasLimit?: number;
  /** Unix seconds. */
  readonly genesisTime: number;
  readonly accounts: readonly FundedAccount[];
  readonly chains: readonly ChainGenesisInputs[];
  /** Accounts of the user's own, laid over the rest. */
  readonly alloc?: ExtraAlloc;
}

/** Gas limit of L1 blocks that inputs without one have. */
export const L1_GAS_LIMIT = 60_000_000;

/** The genesis blocks with which rollup.json begins (op-node: `rollup.Genesis`, kona: `ChainGenesis`). */
export interface GenesisBlocks {
  readonly l1: BlockId;
  readonly l2: BlockId;
}

/** Value for an unknown output root, as deployments of public chains write it. */
const UNKNOWN_ROOT: Hex = `0xdead${'0'.repeat(60)}`;

/** Default constants of a devnet. */
export const GENESIS_DEFAULTS = {
  eip1559: { elasticity: 6, denominator: 50, eip1559DenominatorCanyon: 250 },
  rollup: { maxSequencerDrift: 600, seqWindowSize: 3600, channelTimeout: 300 },
  withdrawals: {
    system: 'output-oracle',
    submissionInterval: 10,
    finalizationPeriod: 2,
    gameClock: 1,
    gameFinality: 1,
    startingRoot: UNKNOWN_ROOT,
    portalBalance: '0',
  },
} as const satisfies Pick<ChainGenesisInputs, 'eip1559' | 'rollup' | 'withdrawals'>;
