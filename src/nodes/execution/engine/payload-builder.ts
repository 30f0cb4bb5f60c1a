import { setImmediate as nextTurn } from 'node:timers/promises';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import { BlockExecutor } from '../block/executor.ts';
import type { Chain } from '../chain/chain.ts';
import { BestTransactions, type TransactionOrder } from '../pool/best-transactions.ts';
import { brokenByHeader, brokenByState, type ConditionState } from '../pool/condition/condition.ts';
import { stateFor, toWord } from '../pool/condition/condition-state.ts';
import type { PooledTransaction, TransactionPool } from '../pool/pool.ts';
import { byteKey } from '../state/byte-key.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import { effectiveGasPrice, type SignedTransaction } from '../transaction/transaction.ts';
import { environmentOf } from './attributes.ts';
import { DaBudget, type DaLimits } from './da-limits.ts';
import { engineError } from './errors.ts';

/** Milliseconds of building after which the event loop runs. */
const BUILD_SLICE_MS = 2;
/** Gas of the cheapest transaction. */
const MIN_TRANSACTION_GAS = 21_000n;

/** Errors that a later block may not have. The transaction stays in the pool. */
const TEMPORARY_ERRORS: ReadonlySet<string> = new Set([
  'nonce too low',
  'nonce too high',
  'gas limit reached',
  'insufficient funds for gas * price + value',
  'max fee per gas less than block base fee',
  'DA footprint of the block over its gas limit',
  'blob gas limit reached',
  'max fee per blob gas less than block blob gas fee',
] satisfies TransactionInvalid['code'][]);
/** Errors that a transaction has only because others were included before it. */
const ORDER_ERRORS: ReadonlySet<string> = new Set([
  'gas limit reached',
  'DA footprint of the block over its gas limit',
  'blob gas limit reached',
] satisfies TransactionInvalid['code'][]);

/** Arguments of a payload. geth: `BuildPayloadArgs`, reth: `BuildArguments`. */
export interface BuildArguments {
  readonly chain: Chain;
  readonly pool: TransactionPool;
  readonly parent: Hex;
  readonly attributes: PayloadAttributes;
  readonly daLimits: DaLimits;
  /**
   * sender: the block holds the pool of the time of getPayload, in an order that does not depend on arrival. Then equal
   * pools give equal blocks.
   */
  readonly order: TransactionOrder;
}

/** Opens the block of a payload and runs the forced transactions. @throws RpcError -38003 if one of them fails */
export async function openPayload({ chain, parent, attributes }: BuildArguments): Promise<BlockExecutor> {
  const parentContext = chain.parentContextOf(parent, chain.knownHeader(parent), attributes.timestamp);
  const executor = await BlockExecutor.open(parentContext, environmentOf(chain, parent, attributes));
  for (const [index, hex] of attributes.transactions.entries()) {
    try {
      await executor.run(hexToBytes(hex));
    } catch (error) {
      if (!(error instanceof TransactionInvalid)) throw error;
      throw engineError('invalidPayloadAttributes', `transaction ${index} cannot run: ${error.message}`);
    }
  }
  return executor;
}

/**
 * Fills an open block with the pool's best transactions.
 * geth's counterpart is `generateWork` (miner/worker.go), op-reth's `OpPayloadBuilder`.
 */
export class PayloadBuilder {
  readonly #executor: BlockExecutor;
  readonly #pool: TransactionPool;
  readonly #budget: DaBudget;
  readonly #parent: ConditionState;
  readonly #order: TransactionOrder;
  /** Tips of the included pool transactions in wei per gas, by sender and nonce. */
  readonly #tipsByNonce = new Map<string, bigint>();
  #leastTip: bigint | undefined;
  #tips = 0n;

  constructor(executor: BlockExecutor, { pool, daLimits, order }: Pick<BuildArguments, 'pool' | 'daLimits' | 'order'>) {
    this.#executor = executor;
    this.#budget = new DaBudget(daLimits);
    this.#parent = stateFor(executor.vm.state.reader);
    this.#pool = pool;
    this.#order = order;
  }

  /** Tips of the pool transactions in wei. */
  get tips(): bigint {
    return this.#tips;
  }

  /**
   * Includes transactions that fit, in their order, while `mayGoOn` returns true.
   * Returns whether a rebuilt block would include one that was skipped: one that tips more than an included one, or
   * replaces one. geth: `fillTransactions`.
   */
  async take(senders: readonly (readonly PooledTransaction[])[], mayGoOn: () => boolean): Promise<boolean> {
    const best = new BestTransactions(senders, this.#executor.environment.baseFee, this.#order);
    let missed = false;
    let turn = performance.now();
    for (let next = best.peek(); next !== undefined && mayGoOn(); next = best.peek()) {
      if (this.#executor.gasLeft < MIN_TRANSACTION_GAS) return missed || this.#tipOf(next) > (this.#leastTip ?? 0n);
      if (!this.#budget.fits(next.raw)) {
        best.skip();
        continue;
      }
      if (next.type === 3 && !(await this.#hasSidecar(next))) {
        best.skip();
        continue;
      }
      if (this.#breaksCondition(next)) {
        best.skip();
        this.#pool.drop(next);
        continue;
      }
      const before = this.#executor.gasLeft;
      try {
        await this.#executor.transaction(next);
        this.#budget.take(next.raw);
        this.#count(next, before - this.#executor.gasLeft);
        best.take();
      } catch (error) {
        if (!(error instanceof TransactionInvalid)) throw error;
        missed ||= this.#isMissed(next, error);
        if (error.code === 'nonce too low') best.take();
        else best.skip();
        if (!TEMPORARY_ERRORS.has(error.code)) this.#pool.drop(next);
      }
      if (performance.now() - turn > BUILD_SLICE_MS) {
        await nextTurn();
        turn = performance.now();
      }
    }
    return missed;
  }

  /** Whether the payload can serve the blobs of a transaction, in the form of its fork. */
  async #hasSidecar({ hash }: SignedTransaction): Promise<boolean> {
    const { blobs = null } = this.#executor.vm.rules.ethereum ?? {};
    return blobs !== null && (await this.#pool.sidecars.inForm(hash, blobs.cellProofs)) !== undefined;
  }

  #count(transaction: SignedTransaction, gasUsed: bigint): void {
    const tip = this.#tipOf(transaction);
    this.#tipsByNonce.set(nonceKeyOf(transaction), tip);
    if (this.#leastTip === undefined || tip < this.#leastTip) this.#leastTip = tip;
    this.#tips += tip * gasUsed;
  }

  #isMissed(transaction: SignedTransaction, { code }: TransactionInvalid): boolean {
    const tip = this.#tipOf(transaction);
    if (ORDER_ERRORS.has(code)) return this.#leastTip !== undefined && tip > this.#leastTip;
    const replaced = code === 'nonce too low' ? this.#tipsByNonce.get(nonceKeyOf(transaction)) : undefined;
    return replaced !== undefined && tip > replaced;
  }

  /** Returns whether the condition of a transaction fails in the block so far. Storage roots are the parent's. */
  #breaksCondition({ hash }: SignedTransaction): boolean {
    const condition = this.#pool.conditionOf(hash);
    if (condition === undefined) return false;
    const { number, timestamp } = this.#executor.environment;
    if (brokenByHeader(condition, BigInt(number), timestamp) !== undefined) return true;
    const word = (address: Hex, slot: Hex): Hex => toWord(this.#executor.word(hexToBytes(address), hexToBytes(slot)));
    return brokenByState(condition, { ...this.#parent, word }) !== undefined;
  }

  #tipOf(transaction: SignedTransaction): bigint {
    const { baseFee } = this.#executor.environment;
    return effectiveGasPrice(transaction, baseFee) - baseFee;
  }
}

function nonceKeyOf({ sender, nonce }: SignedTransaction): string {
  return `${byteKey(sender)}${nonce}`;
}
