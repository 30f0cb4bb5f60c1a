/** What becomes of a transaction that waits on L1. */
export type PoolAction = 'drop' | 'replace' | 'hold';

/** A fault of L1's pool. */
export interface PoolFault {
  readonly id: string;
  readonly action: PoolAction;
  /** The sender. */
  readonly from: string;
  /** Absent: that of the next transaction that the sender has in the pool. */
  readonly nonce?: number | undefined;
  /** Time of the network's clock (ms): the block of a slot from then on may have it. Absent: when it is removed. */
  readonly until?: number | undefined;
}

/** A fault of L1's pool has met a transaction. */
export interface PoolFaultMatch {
  /** Id of the fault. */
  readonly fault: string;
  readonly nonce: number;
  /** Whether the fault is over: only a transaction that is held stays held. */
  readonly isOver: boolean;
}

/** What the supervisor has l1-beacon do with L1. */
export type L1Request =
  /** Makes no block for the slots before a time of the network's clock (ms). Null: until another request. */
  | { readonly do: 'stall'; readonly until: number | null }
  /**
   * Replaces the newest blocks by others in the same slots. Their transactions are sent again, without those of `drop`.
   * `final`: number of the newest final block. Absent: the one that L1 names.
   */
  | { readonly do: 'reorg'; readonly depth: number; readonly drop: readonly string[]; readonly final?: number }
  /** Names the sender and the nonce of a transaction that waits. */
  | { readonly do: 'find'; readonly hash: string }
  /** Drops, replaces or holds a transaction that waits. A fault of the same id is replaced. */
  | { readonly do: 'pool'; readonly fault: PoolFault }
  /** Removes the other faults of the pool: their transactions get into the next block. */
  | { readonly do: 'keep-pool'; readonly ids: readonly string[] };

interface BlockName {
  readonly number: number;
  readonly hash: string;
}

/** Why L1 was not reorganised. */
export type L1Refusal =
  /** L1 has fewer blocks. */
  | { readonly kind: 'depth'; readonly head: number }
  /** The oldest block to replace is final. */
  | { readonly kind: 'final'; readonly head: number; readonly final: number }
  /** The blocks to replace, or the pool, have no such transaction. */
  | { readonly kind: 'transaction'; readonly hash: string }
  /** L1 has the states of its newest blocks alone. */
  | { readonly kind: 'state' }
  /** L1 makes its blocks by itself. */
  | { readonly kind: 'foreign' };

/** The outcome of a request. */
export type L1Answer =
  | { readonly kind: 'stalled' }
  | {
      readonly kind: 'reorganised';
      /** The newest block that stayed. */
      readonly common: BlockName;
      readonly from: BlockName;
      readonly to: BlockName;
      /** Transactions of the replaced blocks that were sent again, and how many of them L1 rejected. */
      readonly sent: number;
      readonly refused: number;
    }
  | { readonly kind: 'found'; readonly from: string; readonly nonce: number }
  | { readonly kind: 'pool-faults'; readonly faults: readonly PoolFault[] }
  | { readonly kind: 'refused'; readonly why: L1Refusal };

/** A request about L1 on the wire. `ask` numbers it. */
export interface L1Message {
  readonly ask: number;
  readonly l1: L1Request;
}

/** Whether a message of the supervisor is a request about L1. */
export function isL1Message(value: unknown): value is L1Message {
  return typeof value === 'object' && value !== null && 'ask' in value && 'l1' in value;
}

const KINDS: readonly unknown[] = [
  'stalled',
  'reorganised',
  'found',
  'pool-faults',
  'refused',
] satisfies readonly L1Answer['kind'][];

/** Whether a value is an outcome. Only its kind is checked: both ends of the channel are of one package. */
export function isL1Answer(value: unknown): value is L1Answer {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.includes(value.kind);
}
