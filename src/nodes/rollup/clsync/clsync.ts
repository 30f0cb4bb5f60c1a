import { LRUCache } from 'lru-cache';
import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L2BlockRef } from '../../../protocol/types.ts';
import type { Quiesce } from '../../../system/channel/quiesce.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { EngineClient } from '../engine/client.ts';
import type { EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import { type BackgroundJob, backgroundJob } from '../loop/background-job.ts';
import type { Deriver, NextStep } from '../loop/loop.ts';
import { type RetryTimer, retryTimer } from '../loop/retry-timer.ts';
import { payloadsQueue } from './payloads-queue.ts';

/** The parts that consensus-layer sync works with. */
export interface ClSyncOptions {
  readonly rollup: Rollup;
  readonly engine: EngineController;
  readonly client: Pick<EngineClient, 'payloadByNumber'>;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  readonly wake: () => void;
  /** Requests the block of a height and hash from peers; null if no peer has it or may be asked. */
  readonly request: (number: number, hash: Hex) => Promise<ExecutionPayloadEnvelope | null>;
  readonly requestReset: (reason: string) => void;
}

/** Capacity of the queue. Wider gaps are left to derivation. */
const QUEUE_CAPACITY = 500;
/**
 * Wall time (ms) between two rounds of requests for a block that no peer had. A peer may have connected meanwhile,
 * also while the clock stands. The node is idle until then: derivation may still bring the block.
 */
const REQUEST_RETRY_MS = 500;

/**
 * Consensus-layer sync: the deriver that inserts unsafe blocks (op-node: `CLSync`).
 * It requests the parent of the lowest queued block from peers. Such a block carries no signature. It is accepted only
 * if a signed block's `parentHash` names it.
 */
export class ClSync implements Deriver {
  readonly name = 'unsafe';
  readonly #options: ClSyncOptions;
  readonly #queue = payloadsQueue(QUEUE_CAPACITY);
  readonly #fetching: BackgroundJob<ExecutionPayloadEnvelope | null>;
  readonly #retries: RetryTimer;
  readonly #invalid = new LRUCache<string, true>({ max: 2 * QUEUE_CAPACITY });
  /** Time of the next request to peers, by `elapsed()` of the clock. */
  #requestAt = 0;

  constructor(options: ClSyncOptions) {
    const { clock, wake } = options;
    this.#options = options;
    this.#fetching = backgroundJob(wake, clock.activity());
    this.#retries = retryTimer(clock, 100, 5000);
  }

  async step(): Promise<NextStep> {
    const { engine } = this.#options;
    if (!engine.isReady) return null;
    const retry = this.#retries.waiting();
    if (retry) return retry;
    const { unsafe, safe } = engine.heads();
    this.#queue.dropThrough(safe.number);
    const first = this.#queue.peek();
    if (!first) return null;
    const { parentHash, blockHash, blockNumber } = first.executionPayload;
    if (this.#invalid.get(parentHash) || this.#invalid.get(blockHash)) {
      this.#dropInvalid(blockHash);
      return 'again';
    }
    if (blockHash === unsafe.hash) {
      this.#queue.remove(blockHash);
      return 'again';
    }
    if (parentHash === unsafe.hash) return this.#insert(first);
    if (blockNumber > unsafe.number + QUEUE_CAPACITY) return null;
    try {
      return await this.#place(first, { unsafe, safe });
    } catch (error) {
      return this.#retry(blockNumber, error);
    }
  }

  /** Adds a payload of gossip or of an administrator (op-node: `onUnsafePayload`). The caller checked the signature. */
  add(envelope: ExecutionPayloadEnvelope): void {
    const { blockHash, parentHash } = envelope.executionPayload;
    if (this.#invalid.get(parentHash)) this.#invalid.set(blockHash, true);
    else this.#queue.add(envelope);
    this.#options.wake();
  }

  /** Drops all blocks: the chain goes back to an earlier moment. */
  clear(): void {
    this.#queue.clear();
    this.#fetching.cancel();
    this.reset();
  }

  /** Clears the cache of invalid blocks. Called after an engine reset. */
  reset(): void {
    this.#invalid.clear();
    this.#retries.clear();
    this.#requestAt = 0;
  }

  /** Count of queued blocks, and the bytes of their transactions. */
  buffered(): { readonly count: number; readonly bytes: number } {
    return { count: this.#queue.length, bytes: this.#queue.memSize };
  }

  /** Returns the lowest queued block (op-node: `LowestQueuedUnsafeBlock`). */
  lowestQueuedUnsafeBlock(): L2BlockRef | undefined {
    const first = this.#queue.peek();
    return first && blockRefOf(this.#options.rollup, first.executionPayload);
  }

  /**
   * Handles a block that does not extend the unsafe head (op-node: `fromQueue`).
   * It is known, of another branch, or after a gap.
   */
  async #place(
    envelope: ExecutionPayloadEnvelope,
    { unsafe, safe }: { unsafe: L2BlockRef; safe: L2BlockRef },
  ): Promise<NextStep> {
    const { client, log } = this.#options;
    const { parentHash, blockHash, blockNumber } = envelope.executionPayload;
    if (blockNumber <= unsafe.number) {
      const mine = await client.payloadByNumber(blockNumber);
      if (mine?.executionPayload.blockHash === blockHash) {
        this.#queue.remove(blockHash);
        return 'again';
      }
    }
    if (blockNumber <= unsafe.number + 1) {
      const parent = await client.payloadByNumber(blockNumber - 1);
      if (parent?.executionPayload.blockHash === parentHash) {
        log.warn('the sequencer replaces unsafe blocks', { number: blockNumber, hash: blockHash, head: unsafe.number });
        return this.#insert(envelope);
      }
    }
    if (blockNumber - 1 > safe.number) return this.#fetchParent(blockNumber - 1, parentHash);
    log.warn('unsafe blocks contradict the safe chain and are dropped', { number: blockNumber, hash: blockHash });
    for (const hash of this.#queue.clear()) this.#invalid.set(hash, true);
    return 'again';
  }

  async #insert(envelope: ExecutionPayloadEnvelope): Promise<NextStep> {
    const { engine, log, requestReset } = this.#options;
    const { blockHash, blockNumber } = envelope.executionPayload;
    try {
      await engine.insert(envelope);
      this.#queue.remove(blockHash);
      this.#retries.succeeded();
      log.info('inserted an unsafe block', { number: blockNumber, hash: blockHash });
    } catch (error) {
      if (isEngineError(error, 'temporary', 'syncing', 'unauthorized')) return this.#retry(blockNumber, error);
      if (isEngineError(error, 'forkchoice')) {
        requestReset(error.message);
        return null;
      }
      this.#dropInvalid(blockHash);
      log.warn('an unsafe block is invalid and dropped', { number: blockNumber, hash: blockHash, error });
    }
    return 'again';
  }

  /** Requests the parent of the lowest queued block and queues the answer (op-node: `checkForGapInUnsafeQueue`). */
  #fetchParent(number: number, hash: Hex): NextStep {
    const { clock, wake, request } = this.#options;
    const answer = this.#fetching.take();
    if (answer) {
      const parent = answer.ok ? answer.value : null;
      if (parent?.executionPayload.blockHash === hash && this.#queue.add(parent)) return 'again';
      this.#requestAt = clock.elapsed() + REQUEST_RETRY_MS;
      // No retry of the loop: it is busy while it waits for one, and a step of the clock would wait for peers.
      // The timer may fire up to 1 ms early, and no other event need come.
      setTimeout(wake, REQUEST_RETRY_MS + 1).unref();
    }
    if (this.#fetching.isRunning || this.#requestAt > clock.elapsed()) return null;
    this.#fetching.start(() => request(number, hash));
    return null;
  }

  /** Drops an invalid block (op-node: `onInvalidPayload`). It and its descendants are not accepted again. */
  #dropInvalid(hash: Hex): void {
    this.#invalid.set(hash, true);
    this.#queue.remove(hash);
  }

  #retry(number: number, error: unknown): NextStep {
    if (this.#retries.isNews(error)) this.#options.log.warn('an unsafe block must wait', { number, error });
    return this.#retries.failed();
  }
}
