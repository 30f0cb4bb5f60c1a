import { LRUCache } from 'lru-cache';
import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L2BlockRef } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { EngineClient } from '../engine/client.ts';
import type { EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import { backgroundJob } from '../loop/background-job.ts';
import type { Deriver, NextStep } from '../loop/loop.ts';
import { retryTimer } from '../loop/retry-timer.ts';
import { payloadsQueue } from './payloads-queue.ts';

/** The parts that consensus-layer sync works with. */
export interface ClSyncOptions {
  readonly rollup: Rollup;
  readonly engine: EngineController;
  readonly client: Pick<EngineClient, 'payloadByNumber'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly wake: () => void;
  /** Requests the block of a height and hash from peers; null where no peer has it or may be asked. */
  readonly request: (number: number, hash: Hex) => Promise<ExecutionPayloadEnvelope | null>;
  readonly requestReset: (reason: string) => void;
}

/** Consensus-layer sync, which inserts unsafe blocks. */
export interface ClSync extends Deriver {
  /** Adds a payload of gossip or of an administrator (op-node: `onUnsafePayload`). The caller checked the signature. */
  add(envelope: ExecutionPayloadEnvelope): void;
  /** Drops all blocks: the chain goes back to an earlier moment. */
  clear(): void;
  /** Clears the cache of invalid blocks. Called after an engine reset. */
  reset(): void;
  /** Returns the lowest queued block (op-node: `LowestQueuedUnsafeBlock`). */
  lowestQueuedUnsafeBlock(): L2BlockRef | undefined;
  /** Count of queued blocks, and the bytes of their transactions. */
  buffered(): { readonly count: number; readonly bytes: number };
}

/** Capacity of the queue. Wider gaps are left to derivation. */
const QUEUE_CAPACITY = 500;
/**
 * Wall time (ms) between two rounds of requests for a block that no peer had. A peer may have connected meanwhile,
 * also while the clock stands. The node is idle until then: derivation may still bring the block.
 */
const ASK_AGAIN = 500;

/**
 * Creates consensus-layer sync: the deriver that inserts unsafe blocks (op-node: `CLSync`).
 * It requests the parent of the lowest queued block from peers. Such a block carries no signature. It is accepted only
 * if a signed block's `parentHash` names it.
 */
export function clSync(options: ClSyncOptions): ClSync {
  const { engine, client, clock, log } = options;
  const queue = payloadsQueue(QUEUE_CAPACITY);
  const fetching = backgroundJob<ExecutionPayloadEnvelope | null>(options.wake, clock.activity());
  const retries = retryTimer(clock, 100, 5000);
  let askAt = 0;
  const invalid = new LRUCache<string, true>({ max: 2 * QUEUE_CAPACITY });

  function retry(number: number, error: unknown): NextStep {
    if (retries.failures === 0) log.warn('an unsafe block must wait', { number, error });
    return retries.failed();
  }

  async function insert(envelope: ExecutionPayloadEnvelope): Promise<NextStep> {
    const { blockHash, blockNumber } = envelope.executionPayload;
    try {
      await engine.insert(envelope);
      queue.remove(blockHash);
      retries.succeeded();
      log.info('inserted an unsafe block', { number: blockNumber, hash: blockHash });
    } catch (error) {
      if (isEngineError(error, 'temporary', 'syncing', 'unauthorized')) return retry(blockNumber, error);
      if (isEngineError(error, 'forkchoice')) {
        options.requestReset(error.message);
        return null;
      }
      dropInvalid(blockHash);
      log.warn('an unsafe block is invalid and dropped', { number: blockNumber, hash: blockHash, error });
    }
    return 'again';
  }

  /** Drops an invalid block (op-node: `onInvalidPayload`). It and its descendants are not accepted again. */
  function dropInvalid(hash: Hex): void {
    invalid.set(hash, true);
    queue.remove(hash);
  }

  /** Requests the parent of the lowest queued block and queues the answer (op-node: `checkForGapInUnsafeQueue`). */
  function fetchParent(number: number, hash: Hex): NextStep {
    const got = fetching.take();
    if (got) {
      const parent = got.ok ? got.value : null;
      if (parent?.executionPayload.blockHash === hash && queue.add(parent)) return 'again';
      askAt = clock.elapsed() + ASK_AGAIN;
      setTimeout(options.wake, ASK_AGAIN).unref();
    }
    if (fetching.isRunning || askAt > clock.elapsed()) return null;
    fetching.start(() => options.request(number, hash));
    return null;
  }

  /**
   * Handles a block that does not extend the unsafe head (op-node: `fromQueue`).
   * It is known, of another branch, or after a gap.
   */
  async function place(
    envelope: ExecutionPayloadEnvelope,
    { unsafe, safe }: { unsafe: L2BlockRef; safe: L2BlockRef },
  ): Promise<NextStep> {
    const { parentHash, blockHash, blockNumber } = envelope.executionPayload;
    if (blockNumber <= unsafe.number) {
      const mine = await client.payloadByNumber(blockNumber);
      if (mine?.executionPayload.blockHash === blockHash) {
        queue.remove(blockHash);
        return 'again';
      }
    }
    if (blockNumber <= unsafe.number + 1) {
      const parent = await client.payloadByNumber(blockNumber - 1);
      if (parent?.executionPayload.blockHash === parentHash) {
        log.warn('the sequencer replaces unsafe blocks', { number: blockNumber, hash: blockHash, head: unsafe.number });
        return insert(envelope);
      }
    }
    if (blockNumber - 1 > safe.number) return fetchParent(blockNumber - 1, parentHash);
    log.warn('unsafe blocks contradict the safe chain and are dropped', { number: blockNumber, hash: blockHash });
    for (const hash of queue.clear()) invalid.set(hash, true);
    return 'again';
  }

  function reset(): void {
    invalid.clear();
    retries.clear();
    askAt = 0;
  }

  return {
    name: 'unsafe',
    async step() {
      if (!engine.isReady) return null;
      const waiting = retries.waiting();
      if (waiting) return waiting;
      const { unsafe, safe } = engine.heads();
      queue.dropThrough(safe.number);
      const first = queue.peek();
      if (!first) return null;
      const { parentHash, blockHash, blockNumber } = first.executionPayload;
      if (invalid.get(parentHash) || invalid.get(blockHash)) {
        dropInvalid(blockHash);
        return 'again';
      }
      if (blockHash === unsafe.hash) {
        queue.remove(blockHash);
        return 'again';
      }
      if (parentHash === unsafe.hash) return insert(first);
      if (blockNumber > unsafe.number + QUEUE_CAPACITY) return null;
      try {
        return await place(first, { unsafe, safe });
      } catch (error) {
        return retry(blockNumber, error);
      }
    },
    add(envelope) {
      const { blockHash, parentHash } = envelope.executionPayload;
      if (invalid.get(parentHash)) invalid.set(blockHash, true);
      else queue.add(envelope);
      options.wake();
    },
    clear() {
      queue.clear();
      fetching.cancel();
      reset();
    },
    reset,
    buffered: () => ({ count: queue.length, bytes: queue.memSize }),
    lowestQueuedUnsafeBlock() {
      const first = queue.peek();
      return first && blockRefOf(options.rollup, first.executionPayload);
    },
  };
}
