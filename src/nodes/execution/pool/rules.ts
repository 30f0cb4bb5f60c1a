import type { Rules } from '../../../protocol/parts/rules.ts';
import { TransactionInvalid } from '../block/errors.ts';
import { atLeast, checkGas } from '../transaction/intrinsic-gas.ts';
import { isDelegation, type SignedTransaction } from '../transaction/transaction.ts';
import { type PoolProblem, PoolRefusal } from './errors.ts';

/** What the pool knows of the chain: the head's state and the rules of the block that will follow it. */
export interface PoolView {
  readonly chainId: number;
  readonly rules: Rules;
  readonly gasLimit: number;
  nonce(address: Uint8Array): bigint;
  balance(address: Uint8Array): bigint;
  code(address: Uint8Array): Uint8Array;
  /** L1 data fee plus operator fee in wei. */
  extraFee(transaction: SignedTransaction): bigint;
}

export interface PoolLimits {
  /** Least tip, wei per gas. */
  readonly minTip: bigint;
  readonly perAccount: number;
  readonly total: number;
  /** Percent by which a replacement must raise both prices. */
  readonly priceBump: number;
}

/** Encoded bytes of a transaction. */
const MAX_SIZE = 128 * 1024;

type Check = (transaction: SignedTransaction, view: PoolView, limits: PoolLimits) => void;

function refuse(code: PoolProblem, detail?: string): never {
  throw new PoolRefusal(code, detail);
}

/** What every transaction must satisfy to enter, in the order in which it is told. */
const CHECKS: readonly Check[] = [
  ({ raw }) => {
    if (raw.length > MAX_SIZE) refuse('oversized data', `transaction size ${raw.length}, limit ${MAX_SIZE}`);
  },
  ({ type }, { rules }) => {
    if (type === 4 && !atLeast(rules.evm, 'prague')) refuse('transaction type not supported');
  },
  ({ chainId }, view) => {
    if (chainId === undefined) refuse('only replay-protected (EIP-155) transactions allowed over RPC');
    if (chainId !== BigInt(view.chainId)) refuse('invalid chain id for signer', `have ${chainId} want ${view.chainId}`);
  },
  ({ gasLimit }, view) => {
    if (gasLimit > BigInt(view.gasLimit)) refuse('exceeds block gas limit');
    const cap = view.rules.precompiles.transactionGasCap;
    if (cap !== undefined && gasLimit > BigInt(cap))
      refuse('transaction gas limit too high', `cap: ${cap}, tx: ${gasLimit}`);
  },
  ({ maxFeePerGas, maxPriorityFeePerGas }) => {
    if (maxFeePerGas < maxPriorityFeePerGas)
      refuse(
        'max priority fee per gas higher than max fee per gas',
        `maxPriorityFeePerGas: ${maxPriorityFeePerGas}, maxFeePerGas: ${maxFeePerGas}`,
      );
  },
  (transaction, view) => {
    try {
      checkGas(view.rules.evm, transaction);
    } catch (error) {
      if (error instanceof TransactionInvalid) throw new PoolRefusal(error.code as PoolProblem, detailOf(error));
      throw error;
    }
  },
  ({ type, authorizationList }) => {
    if (type === 4 && authorizationList.length === 0) refuse('set code tx must have at least one authorization tuple');
  },
  ({ maxPriorityFeePerGas }, _, { minTip }) => {
    if (maxPriorityFeePerGas < minTip)
      refuse('transaction underpriced', `gas tip cap ${maxPriorityFeePerGas}, minimum needed ${minTip}`);
  },
  ({ sender }, view) => {
    const code = view.code(sender);
    if (code.length > 0 && !isDelegation(code)) refuse('sender not an eoa');
  },
  ({ nonce, sender }, view) => {
    const next = view.nonce(sender);
    if (nonce < next) refuse('nonce too low', `next nonce ${next}, tx nonce ${nonce}`);
  },
  (transaction, view) => {
    const balance = view.balance(transaction.sender);
    const cost = costOf(transaction, view);
    if (balance < cost)
      refuse(
        'insufficient funds for gas * price + value',
        `balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`,
      );
  },
];

/** @throws PoolRefusal by the first rule that the transaction breaks */
export function checkEntry(transaction: SignedTransaction, view: PoolView, limits: PoolLimits): void {
  for (const check of CHECKS) check(transaction, view, limits);
}

/** The most that a transaction can cost its sender, wei. */
export function costOf(transaction: SignedTransaction, view: PoolView): bigint {
  return transaction.gasLimit * transaction.maxFeePerGas + transaction.value + view.extraFee(transaction);
}

/** Whether both prices are raised enough to replace a transaction of the same nonce. */
export function outbids(next: SignedTransaction, old: SignedTransaction, { priceBump }: PoolLimits): boolean {
  const least = (price: bigint) => (price * BigInt(100 + priceBump) + 99n) / 100n;
  return (
    next.maxFeePerGas > old.maxFeePerGas &&
    next.maxPriorityFeePerGas > old.maxPriorityFeePerGas &&
    next.maxFeePerGas >= least(old.maxFeePerGas) &&
    next.maxPriorityFeePerGas >= least(old.maxPriorityFeePerGas)
  );
}

function detailOf(error: TransactionInvalid): string | undefined {
  return error.message === error.code
    ? undefined
    : error.message.slice(error.code.length + 2).replace(/^have (\d+), want (\d+)$/, 'gas $1, minimum needed $2');
}
