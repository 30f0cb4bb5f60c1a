import { checksumAddress } from '../../../protocol/address.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Chain } from '../chain/chain.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionCondition } from './condition.ts';
import { checkConditionAsGo, checkConditionAsRust } from './condition-check.ts';
import { checkDelegation } from './delegation.ts';
import type { Place, PoolEntry } from './entry.ts';
import type { PoolProblem } from './refusal.ts';
import { CHECK, type Check } from './rules.ts';
import { GO_SETTINGS, type PoolSettings, RUST_SETTINGS } from './settings.ts';
import type { PoolView } from './view.ts';
import { goWords, type Words } from './words-go.ts';
import { rustWords } from './words-rust.ts';

/** Every difference between the pools of the two clients, in one place; those in limits are chosen by the kind of the settings' limits. */
export interface PoolManners {
  readonly defaults: PoolSettings;
  /** What a user's transaction must satisfy before it is even forwarded, in the order in which it is told. */
  readonly submission: readonly Check[];
  /** What each must satisfy to enter, in the order in which it is told. */
  readonly entry: readonly Check[];
  /** Where a transaction stands whose nonce is next. */
  judge(entry: PoolEntry, overdrawn: boolean, view: PoolView): Place;
  /** Whether one of the pool is dropped at a new head that it cannot run on. */
  dropsAt(view: PoolView, entry: PoolEntry): boolean;
  /** Whether the prices are raised enough, by `bump` percent, to replace a transaction of the same nonce. */
  outbids(next: SignedTransaction, old: SignedTransaction, bump: number): boolean;
  words(problem: PoolProblem): Words;
  /** A transaction of a type that users cannot send: a deposit, blobs, an unknown one. */
  readonly unknownType: Words;
  /** A node that forwards keeps the transaction too, unless told otherwise. */
  readonly keepsForwarded: boolean;
  /** Code of the answer where the sequencer did not give one. */
  readonly unreachable: number;
  /** Milliseconds that eth_sendRawTransactionSync waits, and the most that it can be asked to. */
  readonly waits: { readonly standard: number; readonly most: number };
  /** EIP-7966: said where no block had the transaction within so many milliseconds. */
  notConfirmed(hash: Hex, timeout: number): string;
  /** Whether a transaction under this condition is worth taking. @throws RpcError */
  checkCondition(condition: TransactionCondition, chain: Chain): void;
  /** eth_pendingTransactions shows all, not those of the node's own accounts. */
  readonly showsPending: boolean;
  /** How the txpool methods write an address. */
  showAddress(address: Hex): Hex;
}

const go: PoolManners = {
  defaults: GO_SETTINGS,
  submission: [CHECK.feeOption, CHECK.protection],
  entry: [
    CHECK.known,
    CHECK.type,
    CHECK.size,
    CHECK.initCode,
    CHECK.transactionGasCap,
    CHECK.blockGasLimit,
    CHECK.gasOption,
    CHECK.tipWithinFeeCap,
    CHECK.chainId,
    CHECK.lastNonce,
    CHECK.gas,
    CHECK.tip,
    CHECK.authorizations,
    CHECK.senderCode,
    CHECK.nonce,
    CHECK.funds,
    CHECK.fundsOfAll,
    checkDelegation,
  ],
  judge: () => 'pending',
  dropsAt: (view, { transaction, cost }) =>
    cost > view.balance(transaction.sender) || transaction.gasLimit > view.gasLimit,
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
  waits: { standard: 20_000, most: 60_000 },
  notConfirmed: (_, timeout) =>
    `The transaction was added to the transaction pool but wasn't processed in ${seconds(timeout)}`,
  checkCondition: checkConditionAsGo,
  showsPending: false,
  showAddress: checksumAddress,
};

const rust: PoolManners = {
  defaults: RUST_SETTINGS,
  submission: [],
  entry: [
    CHECK.blockGasLimit,
    CHECK.lastNonce,
    CHECK.size,
    CHECK.initCode,
    CHECK.gasOption,
    CHECK.tipWithinFeeCap,
    CHECK.feeOption,
    CHECK.tipOfOthers,
    CHECK.chainId,
    CHECK.type,
    CHECK.authorizations,
    CHECK.gas,
    CHECK.transactionGasCap,
    CHECK.senderCode,
    CHECK.nonce,
    CHECK.funds,
    CHECK.known,
    checkDelegation,
    CHECK.accountSlots,
    CHECK.feeCap,
  ],
  judge({ transaction }, overdrawn, view) {
    if (overdrawn || transaction.gasLimit > view.gasLimit) return 'queued';
    return transaction.maxFeePerGas < view.baseFee ? 'basefee' : 'pending';
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
  waits: { standard: 30_000, most: 30_000 },
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
