import type { Hex } from '../../../protocol/types.ts';
import type { Chain } from '../chain/chain.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionCondition } from './condition/condition.ts';
import type { PoolErrorKind } from './error-kind.ts';
import type { Eviction } from './eviction.ts';
import type { HeadState } from './head-state.ts';
import type { TransactionLookup } from './lookup.ts';
import type { PoolOptionKey, PoolOptionValues } from './options.ts';
import type { PoolEntry, SubPool } from './pooled-transaction.ts';
import type { PoolLimits, PoolSettings } from './settings.ts';
import type { ValidationRule } from './validation-rule.ts';

/** Code and message of a JSON-RPC error. */
export interface RpcErrorFields {
  readonly code: number;
  readonly message: string;
}

/** Holds every difference between the pools of op-geth and op-reth. */
export interface PoolBehaviour {
  readonly defaults: PoolSettings;
  /** Returns the limits that the options set, over the defaults. */
  limitsFrom(values: PoolOptionValues): PoolLimits;
  /** Options that only the other client has, and the name of that flavour. */
  readonly foreignOptions: { readonly client: string; readonly keys: readonly PoolOptionKey[] };
  /** Creates the eviction policy for these settings. `head` returns the current head state. */
  eviction(lookup: TransactionLookup, settings: PoolSettings, head: () => HeadState): Eviction;
  /** Rules for a user's transaction before it is pooled or forwarded, in the order of their errors. */
  readonly submissionRules: readonly ValidationRule[];
  /** Rules for a transaction to enter the pool, in the order of their errors. */
  readonly entryRules: readonly ValidationRule[];
  /**
   * Returns the sub-pool of a transaction without a nonce gap before it.
   * `overdrawn`: this and the sender's earlier transactions cost more than the balance.
   */
  selectSubPool(entry: PoolEntry, overdrawn: boolean, head: HeadState): SubPool;
  /** Returns whether a new head drops a pooled transaction that cannot run on it. */
  dropsAt(head: HeadState, entry: PoolEntry): boolean;
  /** Returns whether `next` raises the prices by at least `bump` percent and so replaces `old`. */
  outbids(next: SignedTransaction, old: SignedTransaction, bump: number): boolean;
  rpcError(problem: PoolErrorKind): RpcErrorFields;
  /** Error for a transaction type that users cannot send: a deposit, a blob transaction, an unknown type. */
  readonly unknownType: RpcErrorFields;
  /** A node that forwards transactions keeps them too, by default. */
  readonly keepsForwarded: boolean;
  /** Error code when the sequencer cannot be reached. */
  readonly unreachable: number;
  /** Timeouts of eth_sendRawTransactionSync in milliseconds: the default and the maximum. */
  readonly receiptTimeouts: { readonly standard: number; readonly most: number };
  /** Returns the message of EIP-7966's timeout error. `timeout` is in milliseconds. */
  notConfirmed(hash: Hex, timeout: number): string;
  /** Checks the condition of eth_sendRawTransactionConditional. @throws RpcError */
  checkCondition(condition: TransactionCondition, chain: Chain): void;
  /** eth_pendingTransactions answers all pending transactions, not only those of the node's own accounts. */
  readonly showsPending: boolean;
  /** Formats an address for the txpool methods. */
  showAddress(address: Hex): Hex;
}
