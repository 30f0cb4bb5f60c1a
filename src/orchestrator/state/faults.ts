/** What every fault has. Times are those of the network's clock (Unix ms). */
interface Standing {
  readonly id: string;
  readonly since: number;
  /** It ends by itself then. Absent: it stands until it is healed. */
  readonly until?: number;
}

/** Groups of nodes without a connection between them. */
export interface Partition extends Standing {
  readonly groups: string[][];
}

/** Directions of a shaping, as its target has them: from it, to it. */
export const DIRECTIONS = ['both', 'egress', 'ingress'] as const;

/** Links that are slow, limited, lossy, cut or silent. */
export interface Shaping extends Standing {
  /** `NODE`, `A-B`, each with `:LINK`. */
  readonly target: string;
  /** Milliseconds. */
  readonly delay?: number;
  readonly jitter?: number;
  /** Percent of TCP segments and of datagrams. */
  readonly loss?: number;
  /** Kilobits per second. */
  readonly bandwidth?: number;
  readonly direction?: (typeof DIRECTIONS)[number];
  /** Connections end, and new ones are refused. */
  readonly cut?: true;
  /** Connections stand, and no byte passes. */
  readonly drop?: true;
}

/** Wrong answers of a server. */
export const RPC_ANSWERS = ['error', 'timeout', 'stale', 'missing-blob', 'wrong-receipt'] as const;

/** Wrong answers to a method of a node's RPC, of L1's, or to a path of the beacon API. */
export interface RpcFault extends Standing {
  /** `NODE`, `l1` or `beacon`. */
  readonly target: string;
  readonly method: string;
  readonly answer: (typeof RPC_ANSWERS)[number];
  /** With stale: the block that a tag has, as a quantity. Other calls pass. */
  readonly at?: Readonly<Record<string, string>>;
}

/** Id of the fault that holds the safe and the finalized block of L1. */
export const L1_FINALITY = 'l1-finality';

/** Returns the number of the block up to which L1 stays final on request; undefined: its finality goes on. */
export function heldFinality({ rpc }: Pick<FaultDocument, 'rpc'>): number | undefined {
  const final = rpc.find(({ id }) => id === L1_FINALITY)?.at?.['finalized'];
  return final === undefined ? undefined : Number(final);
}

/** What becomes of a transaction that waits on L1. */
export const POOL_ACTIONS = ['drop', 'replace', 'hold'] as const;

/** A transaction that vanishes from the pool of L1, is replaced there, or waits in it. */
export interface L1PoolFault extends Standing {
  readonly action: (typeof POOL_ACTIONS)[number];
  /** Its hash; or `batcher`, `proposer` or one of them after its chain, for the next one of that account. */
  readonly of: string;
  /** Its sender. */
  readonly from: string;
  /** Absent until the sender has a transaction in the pool. */
  readonly nonce?: number;
}

/** All faults of a network. */
export interface FaultDocument {
  readonly partitions: readonly Partition[];
  readonly shaping: readonly Shaping[];
  /** Wrong answers. */
  readonly rpc: readonly RpcFault[];
  readonly pool: readonly L1PoolFault[];
}

/** A network without a fault. */
export const NO_FAULTS: FaultDocument = { partitions: [], shaping: [], rpc: [], pool: [] };

/** The same without what the supervisor adds. */
type Given<Fault> = Omit<Fault, keyof Standing> & Partial<Standing>;

/** A fault as a command, a scenario or a file gives it. */
export type GivenFault =
  | { readonly partition: Given<Partition> }
  | { readonly shaping: Given<Shaping> }
  | { readonly rpc: Given<RpcFault> }
  /** `epochs`: it ends after so many epochs of L1. */
  | { readonly pool: Given<Omit<L1PoolFault, 'from'>> & { readonly from?: string; readonly epochs?: number } };
