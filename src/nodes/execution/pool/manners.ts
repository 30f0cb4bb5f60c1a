import type { SignedTransaction } from '../transaction/transaction.ts';
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
    cost > view.balance(transaction.sender) || transaction.gasLimit > BigInt(view.gasLimit),
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
    if (overdrawn || transaction.gasLimit > BigInt(view.gasLimit)) return 'queued';
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
};

/** The tip of a transaction that names one. */
function tipOf({ type, maxPriorityFeePerGas }: SignedTransaction): bigint {
  return type >= 2 ? maxPriorityFeePerGas : 0n;
}

export const POOL_MANNERS = { go, rust } as const;
