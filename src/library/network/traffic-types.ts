import type { Hex, TransactionReceipt } from 'viem';
import type { LoadKind } from '../../orchestrator/traffic/load/kinds.ts';

/** Selects a rollup. */
export interface OnChain {
  /** Name of the rollup; may be left out if there is one. */
  readonly chain?: string;
}

/** Options of `load`. */
export interface LoadOptions extends OnChain {
  /** Kind of transactions. Default: `transfers`. */
  readonly kind?: LoadKind;
  /** Number of transactions. Default: 20, or no limit if `duration` is given. */
  readonly count?: number;
  /** Milliseconds for which transactions are sent. */
  readonly duration?: number;
  /** Transactions per second. Default: as many as the network takes. */
  readonly tps?: number;
  /** Seed of amounts, addresses and order. Default: 0. */
  readonly seed?: number;
  /** Milliseconds to wait for those that were sent. Default: 60,000. */
  readonly timeout?: number;
  /** Ends the sending. */
  readonly signal?: AbortSignal;
}

/** Options of each call that waits for blocks. */
export interface Patience {
  /** Milliseconds after which the call fails. */
  readonly timeout?: number;
}

/** Options of `fund`. Default timeout: 60,000 ms. */
export interface FundRequest extends OnChain, Patience {
  readonly address: Hex;
  /** wei */
  readonly value: bigint;
}

/** A deposit that both layers hold. */
export interface Deposited {
  readonly l1: TransactionReceipt;
  /** `reverted` if the call on L2 failed; what it minted is the sender's also then. */
  readonly l2: TransactionReceipt;
  /** Hashes on L1 of earlier attempts that fell out of it, so that the deposit was sent again. */
  readonly lost: readonly Hex[];
}

/** A deposit that minted. */
export interface Funded extends Deposited {
  /** Of the address on L2 in the block of the deposit, wei. */
  readonly balance: bigint;
}

/** Options of `deposit`. Default timeout: 60,000 ms. */
export interface DepositRequest extends OnChain, Patience {
  /** The address that is called on L2; null creates a contract. */
  readonly to: Hex | null;
  /** wei, minted and sent to the address. Default: 0. */
  readonly value?: bigint;
  /** wei, minted to the sender. Default: `value`. */
  readonly mint?: bigint;
  readonly data?: Hex;
  /** Gas limit on L2. Default: 200,000. */
  readonly gas?: bigint;
  /** Index of the funded account that sends it. Default: 0. */
  readonly from?: number;
}

/** Options of `withdraw`. Default timeout: 120,000 ms. */
export interface WithdrawRequest extends OnChain, Patience {
  /** wei */
  readonly value: bigint;
  /** The receiver on L1. Default: the sender. */
  readonly to?: Hex;
  readonly data?: Hex;
  /** Gas limit on L1. Default: 100,000. */
  readonly gas?: bigint;
  /** Index of the funded account that sends it. Default: 0. */
  readonly from?: number;
  /** Warps through the delays of proof and finality instead of waiting for them. */
  readonly warp?: boolean;
}

/** Options of `withdraw` for a withdrawal that is initiated: it goes on after its last step on L1. */
export interface ContinueRequest extends OnChain, Patience {
  /** Hash of the transaction on L2 that has initiated it. */
  readonly initiated: Hex;
  /** Index of the funded account that pays for proof and finalization. Default: 0. */
  readonly from?: number;
  /** Warps through the delays of proof and finality instead of waiting for them. */
  readonly warp?: boolean;
}

/** A withdrawal that L1 has paid out. */
export interface Withdrawn {
  /** On L2. */
  readonly initiated: TransactionReceipt;
  /** On L1. */
  readonly proven: TransactionReceipt;
  /** On L1. */
  readonly finalized: TransactionReceipt;
  readonly withdrawalHash: Hex;
  /** The receiver on L1. */
  readonly to: Hex;
  /** wei */
  readonly value: bigint;
  /** Of the receiver on L1 in the block of the finalization, wei. */
  readonly balance: bigint;
}
