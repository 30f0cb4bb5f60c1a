import { setImmediate as nextTurn } from 'node:timers/promises';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import { TransactionInvalid } from '../block/errors.ts';
import { BlockExecutor, type ExecutedBlock } from '../block/executor.ts';
import type { Chain } from '../chain/chain.ts';
import { TipOrder } from '../pool/order.ts';
import type { PooledTransaction, TransactionPool } from '../pool/pool.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import { draftOf } from './attributes.ts';
import { engineError } from './errors.ts';

/** Milliseconds of building after which other work of the process gets its turn. */
const SLICE = 8;
/** Milliseconds that transactions which came before may still take once the block is asked for. */
const GRACE = 500;
/** Gas below which no transaction fits. */
const LEAST_GAS = 21_000;

/**
 * One block in the making. Forced transactions run before the job exists; then it takes from the pool what fits, also what arrives
 * meanwhile, until `finish` is called.
 */
export class BuildJob {
  readonly parent: Hex;
  readonly #executor: BlockExecutor;
  readonly #pool: TransactionPool;
  readonly #unsubscribe: () => void;
  #arrived: SignedTransaction[] = [];
  #filling: Promise<void> | undefined;
  /** When the pool is left alone (monotonic milliseconds); Infinity while nobody asked for the block. */
  #deadline = Number.POSITIVE_INFINITY;
  /** What stopped the filling before its time; told to whoever asks for the block. */
  #failure: unknown;
  #result: Promise<ExecutedBlock> | undefined;

  private constructor(parent: Hex, executor: BlockExecutor, pool: TransactionPool, noTxPool: boolean) {
    this.parent = parent;
    this.#executor = executor;
    this.#pool = pool;
    this.#unsubscribe = noTxPool ? () => {} : pool.onPending((transaction) => this.#wake(transaction));
    if (!noTxPool) this.#fill(pool.pending());
  }

  /** @throws RpcError -38003 where a forced transaction cannot run */
  static async start(
    chain: Chain,
    pool: TransactionPool,
    parent: Hex,
    attributes: PayloadAttributes,
  ): Promise<BuildJob> {
    const ground = chain.groundOn(parent, chain.header(parent)!, attributes.timestamp);
    const executor = await BlockExecutor.open(ground, draftOf(chain, parent, attributes));
    for (const [index, hex] of attributes.transactions.entries()) {
      try {
        await executor.run(hexToBytes(hex));
      } catch (error) {
        if (!(error instanceof TransactionInvalid)) throw error;
        throw engineError('invalidPayloadAttributes', `transaction ${index} cannot run: ${error.message}`);
      }
    }
    return new BuildJob(parent, executor, pool, attributes.noTxPool);
  }

  /** Ends building and seals the block; later calls give the same block. */
  finish(): Promise<ExecutedBlock> {
    this.#result ??= this.#seal();
    return this.#result;
  }

  /** Stops taking transactions; resolves when none runs any more. */
  abandon(): Promise<void> {
    return this.#end(0);
  }

  async #seal(): Promise<ExecutedBlock> {
    await this.#end(performance.now() + GRACE);
    if (this.#failure !== undefined) throw this.#failure;
    return this.#executor.seal();
  }

  async #end(deadline: number): Promise<void> {
    this.#deadline = deadline;
    this.#unsubscribe();
    await this.#filling;
  }

  #wake(transaction: SignedTransaction): void {
    this.#arrived.push(transaction);
    if (this.#filling === undefined) this.#fill([]);
  }

  #fill(senders: PooledTransaction[][]): void {
    this.#filling = this.#takeAll(senders)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#filling = undefined;
      });
  }

  async #takeAll(senders: PooledTransaction[][]): Promise<void> {
    await nextTurn();
    await this.#take(new TipOrder(senders, this.#executor.draft.baseFee));
    while (this.#arrived.length > 0 && performance.now() < this.#deadline) {
      const batch = this.#arrived;
      this.#arrived = [];
      await this.#take(new TipOrder(bySender(batch), this.#executor.draft.baseFee));
      await nextTurn();
    }
  }

  async #take(order: TipOrder): Promise<void> {
    let turn = performance.now();
    for (let next = order.peek(); next !== undefined && performance.now() < this.#deadline; next = order.peek()) {
      if (this.#executor.gasLeft < LEAST_GAS) return;
      try {
        await this.#executor.transaction(next);
        order.take();
      } catch (error) {
        if (!(error instanceof TransactionInvalid)) throw error;
        if (error.code === 'nonce too low') order.take();
        else order.skip();
        if (!PASSING.has(error.code)) this.#pool.drop(next);
      }
      if (performance.now() - turn > SLICE) {
        await nextTurn();
        turn = performance.now();
      }
    }
  }
}

/** Problems that a later block may not have: the transaction stays in the pool. */
const PASSING: ReadonlySet<string> = new Set([
  'nonce too low',
  'nonce too high',
  'gas limit reached',
  'insufficient funds for gas * price + value',
  'max fee per gas less than block base fee',
  'DA footprint of the block over its gas limit',
] satisfies TransactionInvalid['code'][]);

function bySender(transactions: readonly SignedTransaction[]): PooledTransaction[][] {
  const senders = new Map<string, PooledTransaction[]>();
  transactions.forEach((transaction, arrival) => {
    const key = Buffer.from(transaction.sender).toString('latin1');
    const list = senders.get(key) ?? [];
    list.push({ transaction, arrival, cost: 0n });
    senders.set(key, list);
  });
  for (const list of senders.values())
    list.sort((left, right) => (left.transaction.nonce < right.transaction.nonce ? -1 : 1));
  return [...senders.values()];
}
