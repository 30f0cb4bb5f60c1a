import { checksumAddress } from '../../../protocol/address.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Chain } from '../chain/chain.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionCondition } from './condition.ts';
import { checkConditionAsGo, checkConditionAsRust } from './condition-check.ts';
import { checkDelegation } from './delegation.ts';
import type { HeadState } from './head-state.ts';
import type { PoolErrorKind } from './pool-error.ts';
import type { PoolEntry, SubPool } from './pooled-transaction.ts';
import { GO_SETTINGS, type PoolSettings, RUST_SETTINGS } from './settings.ts';
import { VALIDATION, type ValidationRule } from './validation.ts';
import { goWords, type RpcErrorFields } from './words-go.ts';
import { rustWords } from './words-rust.ts';

/** Every difference between the pools of the two clients, in one place; those in limits are chosen by the kind of the settings' limits. */
export interface PoolBehaviour {
  readonly defaults: PoolSettings;
  /** What a user's transaction must satisfy before it is even forwarded, in the order in which it is told. */
  readonly submissionRules: readonly ValidationRule[];
  /** What each must satisfy to enter, in the order in which it is told. */
  readonly entry: readonly ValidationRule[];
  /** Where a transaction stands whose nonce is next. */
  selectSubPool(entry: PoolEntry, overdrawn: boolean, head: HeadState): SubPool;
  /** Whether one of the pool is dropped at a new head that it cannot run on. */
  dropsAt(head: HeadState, entry: PoolEntry): boolean;
  /** Whether the prices are raised enough, by `bump` percent, to replace a transaction of the same nonce. */
  outbids(next: SignedTransaction, old: SignedTransaction, bump: number): boolean;
  words(problem: PoolErrorKind): RpcErrorFields;
  /** A transaction of a type that users cannot send: a deposit, blobs, an unknown one. */
  readonly unknownType: RpcErrorFields;
  /** A node that forwards keeps the transaction too, unless told otherwise. */
  readonly keepsForwarded: boolean;
  /** Code of the answer where the sequencer did not give one. */
  readonly unreachable: number;
  /** Milliseconds that eth_sendRawTransactionSync waits, and the most that it can be asked to. */
  readonly receiptTimeouts: { readonly standard: number; readonly most: number };
  /** EIP-7966: said where no block had the transaction within so many milliseconds. */
  notConfirmed(hash: Hex, timeout: number): string;
  /** Whether a transaction under this condition is worth taking. @throws RpcError */
  checkCondition(condition: TransactionCondition, chain: Chain): void;
  /** eth_pendingTransactions shows all, not those of the node's own accounts. */
  readonly showsPending: boolean;
  /** How the txpool methods write an address. */
  showAddress(address: Hex): Hex;
}

const go: PoolBehaviour = {
  defaults: GO_SETTINGS,
  submissionRules: [VALIDATION.feeOption, VALIDATION.protection],
  entry: [
    VALIDATION.known,
    VALIDATION.type,
    VALIDATION.size,
    VALIDATION.initCode,
    VALIDATION.transactionGasCap,
    VALIDATION.blockGasLimit,
    VALIDATION.gasOption,
    VALIDATION.tipWithinFeeCap,
    VALIDATION.chainId,
    VALIDATION.lastNonce,
    VALIDATION.gas,
    VALIDATION.tip,
    VALIDATION.authorizations,
    VALIDATION.senderCode,
    VALIDATION.nonce,
    VALIDATION.funds,
    VALIDATION.fundsOfAll,
    checkDelegation,
  ],
  selectSubPool: () => 'pending',
  dropsAt: (head, { transaction, cost }) =>
    cost > head.balance(transaction.sender) || transaction.gasLimit > head.gasLimit,
  outbids(next, old, bump) {
    const least = (price: bigint) => (price * BigInt(100 + bump)) / 100n;
    return (
      next.maxFeePerGas > old.maxFeePerGas &&
      next.maxPriorityFeePerGas > old.maxPriorityFeePerGas &&
      next.maxFeePerGas >= least(old.maxFeePerGas) &&
      next.maxPriorityFeePerGas >= least(old.maxPriorityFeePerGas)
    );
  },
  words: goWords,
  unknownType: { code: -32000, message: 'transaction type not supported' },
  keepsForwarded: false,
  unreachable: -32000,
  receiptTimeouts: { standard: 20_000, most: 60_000 },
  notConfirmed: (_, timeout) =>
    `The transaction was added to the transaction pool but wasn't processed in ${seconds(timeout)}`,
  checkCondition: checkConditionAsGo,
  showsPending: false,
  showAddress: checksumAddress,
};

const rust: PoolBehaviour = {
  defaults: RUST_SETTINGS,
  submissionRules: [],
  entry: [
    VALIDATION.blockGasLimit,
    VALIDATION.lastNonce,
    VALIDATION.size,
    VALIDATION.initCode,
    VALIDATION.gasOption,
    VALIDATION.tipWithinFeeCap,
    VALIDATION.feeOption,
    VALIDATION.tipOfOthers,
    VALIDATION.chainId,
    VALIDATION.type,
    VALIDATION.authorizations,
    VALIDATION.gas,
    VALIDATION.transactionGasCap,
    VALIDATION.senderCode,
    VALIDATION.nonce,
    VALIDATION.funds,
    VALIDATION.known,
    checkDelegation,
    VALIDATION.accountSlots,
    VALIDATION.feeCap,
  ],
  selectSubPool({ transaction }, overdrawn, head) {
    if (overdrawn || transaction.gasLimit > head.gasLimit) return 'queued';
    return transaction.maxFeePerGas < head.baseFee ? 'basefee' : 'pending';
  },
  dropsAt: () => false,
  outbids(next, old, bump) {
    const least = (price: bigint) => (price * BigInt(100 + bump) + 99n) / 100n;
    if (next.maxFeePerGas < least(old.maxFeePerGas)) return false;
    const [tip, oldTip] = [tipOf(next), tipOf(old)];
    return tip === 0n || oldTip === 0n || tip >= least(oldTip);
  },
  words: rustWords,
  unknownType: { code: -32602, message: 'failed to decode signed transaction' },
  keepsForwarded: true,
  unreachable: -32603,
  receiptTimeouts: { standard: 30_000, most: 30_000 },
  notConfirmed: (hash, timeout) =>
    `Transaction ${hash} was added to the mempool but wasn't confirmed within ${seconds(timeout)}.`,
  checkCondition: checkConditionAsRust,
  showsPending: true,
  showAddress: (address) => address,
};

/** The tip of a transaction that names one. */
function tipOf({ type, maxPriorityFeePerGas }: SignedTransaction): bigint {
  return type >= 2 ? maxPriorityFeePerGas : 0n;
}

/** Milliseconds as both clients write durations. */
function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds}ms` : `${milliseconds / 1000}s`;
}

export const POOL_MANNERS = { go, rust } as const;
