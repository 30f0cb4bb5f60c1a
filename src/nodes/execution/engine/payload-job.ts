import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BlockExecutor } from '../block/executor.ts';
import type { ExecutedBlock } from '../block/seal.ts';
import type { PooledTransaction } from '../pool/pool.ts';
import { byteKey } from '../state/byte-key.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import { type BuildArguments, openPayload, PayloadBuilder } from './payload-builder.ts';

/** Milliseconds after getPayload for the transactions that arrived before it. */
const GET_PAYLOAD_GRACE_MS = 500;
/**
 * Minimum and maximum time in milliseconds that a payload improves.
 * Between them the distance to the parent's timestamp counts.
 */
const PAYLOAD_LIFETIME_MS = { least: 12_000, most: 120_000 };
/**
 * Minimum pause in milliseconds between two rebuilds.
 * The time of the last rebuild is added, so that half a processor stays free.
 */
const REBUILD_REST_MS = 50;

/** One version of a payload: its block so far, and the builder that fills it. */
interface PayloadVersion {
  readonly executor: BlockExecutor;
  readonly builder: PayloadBuilder;
}

async function openVersion(buildArguments: BuildArguments): Promise<PayloadVersion> {
  const executor = await openPayload(buildArguments);
  return { executor, builder: new PayloadBuilder(executor, buildArguments) };
}

/**
 * A payload that improves until getPayload requests it.
 * It includes pool transactions as they arrive. If a better one does not fit, it rebuilds the block. geth's
 * counterpart is `buildPayload` (miner/payload_building.go), reth's `BasicPayloadJob`.
 */
export class PayloadJob {
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly #buildArguments: BuildArguments;
  readonly #unsubscribe: () => void;
  /** All pool transactions are included at getPayload. */
  readonly #isLate: boolean;
  #best: PayloadVersion;
  #arrived: SignedTransaction[] = [];
  /** A better transaction does not fit into the best payload. */
  #isOutdone = false;
  #working: Promise<void> | undefined;
  /** Monotonic milliseconds after which no transaction is added and no rebuild starts. */
  #deadline: number;
  #isAsked = false;
  /** Monotonic milliseconds before which no rebuild starts, and the timer that ends the pause. */
  #restUntil = 0;
  #alarm: NodeJS.Timeout | undefined;
  /** The error that stopped building. `finish` throws it. */
  #failure: unknown;
  #result: Promise<ExecutedBlock> | undefined;
  #isSealing = false;

  private constructor(buildArguments: BuildArguments, first: PayloadVersion) {
    const { attributes, chain, pool, parent, order } = buildArguments;
    this.#buildArguments = buildArguments;
    this.timestamp = attributes.timestamp;
    this.#best = first;
    const distance = Number(attributes.timestamp - chain.knownHeader(parent).timestamp) * 1000;
    this.#deadline =
      performance.now() + Math.min(PAYLOAD_LIFETIME_MS.most, Math.max(PAYLOAD_LIFETIME_MS.least, distance));
    this.#isLate = order === 'sender' && !attributes.noTxPool;
    const isOpen = !attributes.noTxPool && !this.#isLate;
    this.#unsubscribe = isOpen ? pool.onPending((transaction) => this.#wake(transaction)) : () => {};
    if (isOpen) this.#work(pool.pending());
    // Without pool transactions the payload is sealed before getPayload requests it.
    else if (!this.#isLate) setImmediate(() => void this.finish().catch(() => {}));
  }

  /** Starts a payload. @throws RpcError -38003 if a forced transaction fails */
  static async start(buildArguments: BuildArguments): Promise<PayloadJob> {
    return new PayloadJob(buildArguments, await openVersion(buildArguments));
  }

  /** Whether a transaction runs or the block is sealed now. */
  get isWorking(): boolean {
    return this.#working !== undefined || this.#isSealing;
  }

  /** Tips of the pool transactions so far in wei. */
  get tips(): bigint {
    return this.#best.builder.tips;
  }

  /** Ends building and seals the block. Later calls return the same block. */
  finish(): Promise<ExecutedBlock> {
    this.#result ??= this.#seal();
    return this.#result;
  }

  /** Stops adding transactions. Resolves when none runs any more. */
  abandon(): Promise<void> {
    return this.#end(0);
  }

  async #seal(): Promise<ExecutedBlock> {
    await this.#end(performance.now() + GET_PAYLOAD_GRACE_MS);
    if (this.#failure !== undefined) throw this.#failure;
    this.#isSealing = true;
    try {
      if (this.#isLate) await this.#best.builder.take(this.#buildArguments.pool.pending(), () => true);
      return await this.#best.executor.seal();
    } finally {
      this.#isSealing = false;
    }
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
    await this.#best.builder.take(senders, mayGoOn);
    for (;;) {
      while (this.#arrived.length > 0 && mayGoOn()) {
        const batch = this.#arrived;
        this.#arrived = [];
        if (await this.#best.builder.take(bySender(batch), mayGoOn)) this.#isOutdone = true;
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

  /** Rebuilds the block from the current pool and keeps the better version. getPayload aborts the rebuild. */
  async #beginAnew(): Promise<void> {
    const mayGoOn = () => !this.#isAsked && performance.now() < this.#deadline;
    const start = performance.now();
    this.#isOutdone = false;
    const version = await openVersion(this.#buildArguments);
    await version.builder.take(this.#buildArguments.pool.pending(), mayGoOn);
    if (mayGoOn() && version.builder.tips > this.tips) this.#best = version;
    this.#restUntil = 2 * performance.now() - start + REBUILD_REST_MS;
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
