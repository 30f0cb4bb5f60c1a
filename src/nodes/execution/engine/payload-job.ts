import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutedBlock } from '../block/executor.ts';
import { byteKey } from '../byte-key.ts';
import type { PooledTransaction } from '../pool/pool.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import { type BuildArguments, PayloadBuilder } from './payload-builder.ts';

/** Milliseconds that transactions which came before may still take once the block is asked for. */
const GRACE = 500;
/** Milliseconds that a block goes on improving, at least and at most; between them its distance from the parent counts. */
const LIFETIME = { least: 12_000, most: 120_000 };
/** Milliseconds between two tries at a better block, at least: as long again as the last one took, so that half the processor stays free. */
const REST = 50;

/**
 * One block in the making. Forced transactions run before the job exists; then it takes from the pool what fits, also what arrives meanwhile,
 * and begins anew where a better transaction finds no room, until `finish` is called.
 */
export class PayloadJob {
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly #buildArguments: BuildArguments;
  readonly #unsubscribe: () => void;
  #best: PayloadBuilder;
  #arrived: SignedTransaction[] = [];
  /** Something better found no room in the best attempt. */
  #isOutdone = false;
  #working: Promise<void> | undefined;
  /** When the pool is left alone (monotonic milliseconds), and when no new attempt is begun or gone on with. */
  #deadline: number;
  #isAsked = false;
  /** No new attempt before (monotonic milliseconds), and what wakes the job then. */
  #restUntil = 0;
  #alarm: NodeJS.Timeout | undefined;
  /** What stopped the work before its time; told to whoever asks for the block. */
  #failure: unknown;
  #result: Promise<ExecutedBlock> | undefined;

  private constructor(buildArguments: BuildArguments, first: PayloadBuilder) {
    const { attributes, chain, pool, parent } = buildArguments;
    this.#buildArguments = buildArguments;
    this.timestamp = attributes.timestamp;
    this.#best = first;
    const distance = Number(attributes.timestamp - chain.header(parent)!.timestamp) * 1000;
    this.#deadline = performance.now() + Math.min(LIFETIME.most, Math.max(LIFETIME.least, distance));
    this.#unsubscribe = attributes.noTxPool ? () => {} : pool.onPending((transaction) => this.#wake(transaction));
    if (!attributes.noTxPool) this.#work(pool.pending());
    // Nothing will be added: it is sealed while the answer with its id is on the way, and the request for it.
    else setImmediate(() => void this.finish().catch(() => {}));
  }

  /** @throws RpcError -38003 where a forced transaction cannot run */
  static async start(buildArguments: BuildArguments): Promise<PayloadJob> {
    return new PayloadJob(buildArguments, await PayloadBuilder.open(buildArguments));
  }

  /** Whether transactions run for it at this moment. */
  get isWorking(): boolean {
    return this.#working !== undefined;
  }

  /** wei that the pool's transactions tip so far. */
  get tips(): bigint {
    return this.#best.tips;
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
    return this.#best.seal();
  }

  async #end(deadline: number): Promise<void> {
    this.#isAsked = true;
    clearTimeout(this.#alarm);
    this.#deadline = Math.min(this.#deadline, deadline);
    this.#unsubscribe();
    await this.#working;
  }

  #wake(transaction: SignedTransaction): void {
    if (performance.now() > this.#deadline) {
      this.#unsubscribe();
      return;
    }
    this.#arrived.push(transaction);
    if (this.#working === undefined) this.#work([]);
  }

  #work(senders: PooledTransaction[][]): void {
    this.#working = this.#improve(senders)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #improve(senders: PooledTransaction[][]): Promise<void> {
    const mayGoOn = () => performance.now() < this.#deadline;
    await nextTurn();
    await this.#best.take(senders, mayGoOn);
    for (;;) {
      while (this.#arrived.length > 0 && mayGoOn()) {
        const batch = this.#arrived;
        this.#arrived = [];
        if (await this.#best.take(bySender(batch), mayGoOn)) this.#isOutdone = true;
        await nextTurn();
      }
      if (!this.#isOutdone || this.#isAsked || !mayGoOn()) return;
      if (performance.now() < this.#restUntil) return this.#sleep();
      await this.#beginAnew();
    }
  }

  #sleep(): void {
    this.#alarm ??= setTimeout(() => {
      this.#alarm = undefined;
      if (this.#working === undefined) this.#work([]);
    }, this.#restUntil - performance.now()).unref();
  }

  /** Tries a whole block from the pool as it is now, and keeps the better of the two. Given up where the block is asked for. */
  async #beginAnew(): Promise<void> {
    const mayGoOn = () => !this.#isAsked && performance.now() < this.#deadline;
    const begun = performance.now();
    this.#isOutdone = false;
    const builder = await PayloadBuilder.open(this.#buildArguments);
    await builder.take(this.#buildArguments.pool.pending(), mayGoOn);
    if (mayGoOn() && builder.tips > this.#best.tips) this.#best = builder;
    this.#restUntil = 2 * performance.now() - begun + REST;
  }
}

function bySender(transactions: readonly SignedTransaction[]): PooledTransaction[][] {
  const senders = new Map<string, PooledTransaction[]>();
  transactions.forEach((transaction, arrival) => {
    const key = byteKey(transaction.sender);
    const list = senders.get(key) ?? [];
    list.push({ transaction, arrival, cost: 0n });
    senders.set(key, list);
  });
  for (const list of senders.values())
    list.sort((left, right) => (left.transaction.nonce < right.transaction.nonce ? -1 : 1));
  return [...senders.values()];
}
