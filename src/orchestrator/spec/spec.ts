import type { ForkName } from '../../protocol/forks/index.ts';
import type { L1Hardfork, WithdrawalSystem } from '../../protocol/genesis/inputs.ts';
import type { Hex } from '../../protocol/types.ts';
import type { OMITTABLE } from './schema.ts';
import type { ForkTime } from './values.ts';

/** A devnet as a person asked for it, with every default filled in. What planning takes. */
export interface Spec {
  readonly version: 1;
  readonly name: string;
  /** Node keys, peer ids and JWT secrets derive from it. */
  readonly seed: number;
  readonly ports: PortPolicy;
  readonly time: { readonly genesis: 'now' | number };
  /** Bytes at which the log of a process is rotated. */
  readonly logs: { readonly size: number };
  readonly l1: L1Spec;
  readonly chains: Readonly<Record<string, ChainSpec>>;
}

/** preferred: the next free one where it is taken; fixed: an error; auto: any. */
export type PortPolicy = 'preferred' | 'fixed' | 'auto';

/** What becomes of the network when a process ends by itself. */
export type OnExit = 'fail' | 'restart' | 'ignore';

/** An argument of a program: null drops the template's default, a list gives the option several times. */
export type Argument = string | number | boolean | null | readonly (string | number)[];

/** How one process is launched. */
export interface ProcessSpec {
  /** A template's name, or the path of one. */
  readonly client: string;
  readonly runtime: 'embedded' | 'process';
  /** Absolute path or bare name of the program, for the runtime `process`. */
  readonly binary?: string;
  readonly launch: 'spawn' | 'manual';
  readonly args: Readonly<Record<string, Argument>>;
  readonly env: Readonly<Record<string, string | null>>;
  /** Preferred ports by the template's names for them. */
  readonly ports: Readonly<Record<string, number>>;
  /** File → paths of keys that it lacks when it is handed to this program, in place of those of the template. */
  readonly omit: OmittedKeys;
}

/** Paths of keys by the reference of the file that lacks them. */
export type OmittedKeys = Readonly<Partial<Record<(typeof OMITTABLE)[number], readonly string[]>>>;

export interface L1Spec extends ProcessSpec {
  readonly chainId: number;
  /** Seconds. */
  readonly blockTime: number;
  /** In force on L1 from its genesis on. */
  readonly hardfork: L1Hardfork;
  /** devnet: safe is the head's parent, finalized its grandparent; real: epochs of 32 slots. */
  readonly finality: 'devnet' | 'real';
  readonly onExit: OnExit;
  /** Absolute path of a file with accounts that are laid over the genesis state. */
  readonly alloc: string | null;
  readonly beacon: ProcessSpec;
}

export interface ChainSpec {
  readonly chainId: number;
  /** Seconds. */
  readonly blockTime: number;
  readonly gasLimit: number;
  /** Funded on L1 and L2; balance in decimal wei. */
  readonly accounts: AccountsSpec;
  readonly forks: ForksSpec;
  /** Fork → absolute path of an upgrade bundle used instead of the package's. */
  readonly bundles: Readonly<Partial<Record<ForkName, string>>>;
  readonly systemConfig: SystemConfigSpec;
  readonly batcher: BatcherSpec | null;
  readonly proposer: ProposerSpec | null;
  readonly onExit: OnExit;
  /** Absolute path of a file with accounts that are laid over the L2 genesis state. */
  readonly alloc: string | null;
  /** Absolute paths of an existing chain's genesis.json and rollup.json. */
  readonly from: { readonly genesis: string; readonly rollup: string } | null;
  /** In the order of the spec, counted ones expanded. */
  readonly nodes: Readonly<Record<string, NodeSpec>>;
}

export interface AccountsSpec {
  readonly count: number;
  /** Decimal wei, of each. */
  readonly balance: string;
  /** Instead of the development mnemonic. */
  readonly mnemonic: string | null;
  /** Funded besides, whose keys are not known here. */
  readonly addresses: readonly Hex[];
}

export interface ForksSpec {
  /** Active at genesis up to and including this one. */
  readonly base: ForkName;
  readonly times: Readonly<Partial<Record<ForkName, ForkTime>>>;
}

/** Fee parameters in force at genesis. */
export interface SystemConfigSpec {
  readonly baseFeeScalar: number;
  readonly blobBaseFeeScalar: number;
  readonly operatorFeeScalar: number;
  readonly operatorFeeConstant: number;
  /** wei */
  readonly minBaseFee: number;
  readonly daFootprintGasScalar: number;
}

export interface BatcherSpec extends ProcessSpec {
  readonly da: 'calldata' | 'blobs';
}

/** Times in seconds. */
export interface ProposerSpec extends ProcessSpec {
  /** Between two proposals. */
  readonly interval: number;
  readonly system: WithdrawalSystem;
  /** Between the proof of a withdrawal and its finalization. */
  readonly finalization: number;
  /** Between the creation of an unchallenged game and its resolution. */
  readonly gameClock: number;
  /** Between the resolution of a game and the finalization of what was proved against it. */
  readonly gameFinality: number;
}

export interface NodeSpec {
  readonly role: 'sequencer' | 'verifier';
  readonly el: ElSpec;
  readonly cl: ClSpec;
  readonly override: Readonly<Partial<Record<ForkName, ForkTime>>>;
  /** Names of the nodes that this one keeps connected. */
  readonly peers: readonly string[];
}

export interface ElSpec extends ProcessSpec {
  /** A running execution client that is used instead of one of ours. */
  readonly external?: { readonly http: string; readonly ws?: string; readonly engine: string; readonly jwt: string };
}

export interface ClSpec extends ProcessSpec {
  /** A running rollup node that is observed instead of one of ours. `p2p`: its multiaddr with peer id. */
  readonly external?: { readonly rpc: string; readonly p2p?: string };
}
