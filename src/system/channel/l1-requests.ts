/** What becomes of a transaction that waits on L1. */
export type PoolAction = 'drop' | 'replace' | 'hold';

/** A transaction by its hash, or the next one of a sender. */
export type PoolTarget = { readonly hash: string } | { readonly from: string };

/** A fault of L1's pool. */
export interface PoolFault {
  readonly id: number;
  readonly action: PoolAction;
  /** Lower case. */
  readonly from: string;
  /** Absent until the sender has sent a transaction. */
  readonly nonce?: number | undefined;
  /** Slot with whose block it may be included again. Absent: when the fault is removed. */
  readonly untilSlot?: number | undefined;
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
  /** Drops, replaces or holds a transaction that waits. `slots`: so many blocks go without it. */
  | { readonly do: 'pool'; readonly action: PoolAction; readonly target: PoolTarget; readonly slots?: number }
  /** Removes a fault of the pool: its transaction gets into the next block. */
  | { readonly do: 'heal'; readonly id: number }
  | { readonly do: 'pool-faults' };

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
  /** There is no such fault. */
  | { readonly kind: 'fault'; readonly id: number }
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
  'pool-faults',
  'refused',
] satisfies readonly L1Answer['kind'][];

/** Whether a value is an outcome. Only its kind is checked: both ends of the channel are of one package. */
export function isL1Answer(value: unknown): value is L1Answer {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.includes(value.kind);
}
