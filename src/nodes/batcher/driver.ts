import { isDeepStrictEqual } from 'node:util';
import { l1InfoOf } from '../../protocol/derivation/l1-info.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { BlockId, ExecutionPayload } from '../../protocol/types.ts';
import { type RpcClient, TransportError } from '../../rpc/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { backoff } from '../../system/backoff.ts';
import { messageOf } from '../../system/failure.ts';
import { pause } from '../../system/pause.ts';
import { fetchSyncStatus, type SyncStatus } from '../shared/txmgr/sync-status.ts';
import { Backlog } from './backlog.ts';
import { type BuiltChannel, type ChannelConfig, type OpenChannel, openChannel } from './channel-builder.ts';
import type { DaType } from './da-type.ts';
import { fetchBlocks, fetchRollup, idOf } from './source.ts';
import { type SubmissionDeps, type SubmissionQueue, submissionQueue } from './submission-queue.ts';
import { computeSyncAction, type SubmittedChannel } from './sync-actions.ts';
import { MAX_BLOBS, maxFrameSize } from './tx-data.ts';

export interface BatcherConfig {
  readonly policy: Omit<ChannelConfig, 'maxFrameSize' | 'daType'>;
  /** Bytes of calldata of one transaction. */
  readonly maxTxSize: number;
  /** L1 transactions under way at once. */
  readonly maxPending: number;
  /** ms */
  readonly pollInterval: number;
}

export interface BatcherDeps extends SubmissionDeps {
  readonly node: RpcClient;
  readonly execution: RpcClient;
  /** 16 random bytes for a channel's id. */
  readonly randomId: () => Uint8Array;
  /** What shall carry the next channel. */
  readonly daType: () => Promise<DaType>;
  /** Resolves when there is something to read: until then nothing is posted. */
  readonly ready: (signal: AbortSignal) => Promise<void>;
  /** Is told the estimated bytes on L1 of the blocks that are not safe. */
  readonly onBacklog: (bytes: number) => void;
}

/** Blocks that are read at once. */
const READ_AHEAD = 32;
/** Longest wait after failures in a row, ms. */
const LONGEST_WAIT = 4000;

/**
 * One run of the batcher, from its start to its stop: reads the sequencer's blocks from the safe head on, fills channels with them and posts these.
 * It keeps nothing that it could not read again: whatever happened to L1, L2 or itself, it starts again from the safe head, and no block is lost.
 */
export class BatchSubmitter {
  readonly #config: BatcherConfig;
  readonly #parts: BatcherDeps;
  /** As the rollup node was configured at the last look. */
  #rollup: Rollup;
  readonly #stopping = new AbortController();
  /** Ends the transactions of everything before the last restart. */
  #generation = new AbortController();
  /** The newest block in a channel; undefined: start at the safe head. */
  #cursor: BlockId | undefined;
  #open: OpenChannel | undefined;
  /** The newest block before the open channel. */
  #openAfter: BlockId | undefined;
  readonly #backlog = new Backlog();
  /** L1 block that the rollup node had derived up to. */
  #derivedTo = 0;
  #saidBehind = false;
  /** Number of the safe head at the last look: what is below is not kept. */
  #safe = 0;
  /** L1 head when the last channel was posted. */
  #postedAt = 0;
  #submitted: SubmittedChannel[] = [];
  readonly #submissions: SubmissionQueue;
  #flushing = false;
  #wake: () => void = () => {};
  readonly done: Promise<void>;

  constructor(config: BatcherConfig, parts: BatcherDeps) {
    this.#config = config;
    this.#parts = parts;
    this.#rollup = parts.rollup;
    this.#submissions = submissionQueue(parts, config.maxPending);
    this.done = this.#loop();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    this.#generation.abort();
    this.#wake();
    return this.done;
  }

  /** Posts what has been read so far without waiting for more. */
  flush(): void {
    this.#flushing = true;
    this.#wake();
  }

  /** Builds the channel that is not posted yet anew: what carries it may have changed. */
  reopen(): void {
    if (this.#open === undefined) return;
    this.#open = undefined;
    this.#cursor = this.#openAfter;
    this.#backlog.dropAbove(this.#cursor?.number ?? -1);
    this.#wake();
  }

  async #loop(): Promise<void> {
    const { log, ready } = this.#parts;
    const { signal } = this.#stopping;
    const { pollInterval } = this.#config;
    const pauses = backoff(2 * Math.max(pollInterval, 100), LONGEST_WAIT);
    let wait = pollInterval;
    let isReady = false;
    while (!signal.aborted) {
      try {
        if (!isReady) await ready(signal);
        isReady = true;
        await this.#syncAndPublish();
        pauses.succeeded();
        wait = pollInterval;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof TransportError || error instanceof RpcError)) {
          log.error('Batching starts again from the safe head', { error });
          this.#restart();
        } else log.warn('Cannot read the sequencer or L1', { error });
        wait = pauses.next();
      }
      const nap = new AbortController();
      this.#wake = () => nap.abort();
      await pause(wait, AbortSignal.any([signal, nap.signal]));
    }
  }

  /** One look at the rollup node, and everything that follows from it. */
  async #syncAndPublish(): Promise<void> {
    const [status] = await Promise.all([fetchSyncStatus(this.#parts.node), this.#followConfig()]);
    if (status === undefined || this.#stopping.signal.aborted || this.#isBehind(status)) return;
    this.#check(status);
    await this.#read(status);
    this.#backlog.dropThrough(status.safe_l2.number);
    this.#parts.onBacklog(this.#backlog.bytes);
    const reason = this.#flushing ? 'flushed' : this.#open?.due(status.head_l1.number);
    // What waits goes out as one channel when the one before has gone: a slow machine does not pile them up.
    if (reason === 'due' && this.#submissions.isBusy) return;
    if (reason !== undefined && this.#open !== undefined && this.#open.blocks > 0)
      this.#post(this.#open.close(reason), status);
    this.#flushing = false;
  }

  /**
   * Reads the rollup node's configuration anew: a restarted node may have other fork times. What was read by the old ones is read again.
   */
  async #followConfig(): Promise<void> {
    const { node, log } = this.#parts;
    const rollup = await fetchRollup(node);
    if (isDeepStrictEqual(rollup.config, this.#rollup.config)) return;
    this.#rollup = rollup;
    log.warn('The rollup node has another configuration, batching starts again from the safe head');
    this.#restart();
  }

  /** Whether the rollup node derives again what it had derived: L1 was reorganised, or it restarted. Until it has, its safe head says nothing. */
  #isBehind({ current_l1: current, safe_l2: safe }: SyncStatus): boolean {
    if (current.number >= this.#derivedTo) {
      this.#derivedTo = current.number;
      this.#saidBehind = false;
      return false;
    }
    if (!this.#saidBehind)
      this.#parts.log.info('The rollup node derives anew, waiting for it', {
        l1: current.number,
        before: this.#derivedTo,
        safe: safe.number,
      });
    this.#saidBehind = true;
    return true;
  }

  #check(status: SyncStatus): void {
    const rollup = this.#rollup;
    const { log } = this.#parts;
    const timeout = rollup.rulesAt(status.head_l1.timestamp).channels.timeout(rollup.config);
    const verdict = computeSyncAction(this.#submitted, status, timeout, { read: this.#cursor, safe: this.#safe });
    this.#safe = status.safe_l2.number;
    if (verdict.kind === 'good') this.#submitted.splice(0, verdict.derived);
    else {
      log.warn('Batching starts again from the safe head', { reason: verdict.reason, safe: status.safe_l2.number });
      this.#restart();
    }
    if (this.#cursor === undefined || this.#cursor.number < status.safe_l2.number) {
      if (this.#cursor !== undefined) this.#restart();
      this.#cursor = idOf(status.safe_l2);
    }
  }

  #restart(): void {
    this.#generation.abort();
    this.#generation = new AbortController();
    this.#cursor = undefined;
    this.#open = undefined;
    this.#submitted = [];
    this.#backlog.dropAbove(-1);
  }

  /** Puts every unsafe block after the cursor into channels; full channels are posted. */
  async #read(status: SyncStatus): Promise<void> {
    const { execution, log } = this.#parts;
    while (this.#cursor !== undefined && this.#cursor.number < status.unsafe_l2.number) {
      const { cursor, era } = { cursor: this.#cursor, era: this.#generation };
      const to = Math.min(status.unsafe_l2.number, cursor.number + READ_AHEAD);
      const blocks = await fetchBlocks(execution, this.#rollup, cursor.number + 1, to);
      for (const payload of blocks) {
        // A posting may have failed meanwhile, or the channel is to be built anew.
        const parent: BlockId | undefined = this.#cursor;
        if (this.#generation !== era || parent === undefined || payload.blockNumber !== parent.number + 1) return;
        if (payload.parentHash !== parent.hash) {
          log.warn('The sequencer reorganised L2, batching starts again from the safe head', {
            number: payload.blockNumber,
            parent: payload.parentHash,
            read: parent.hash,
          });
          return this.#restart();
        }
        if (!(await this.#add(payload, status, era))) return;
        this.#cursor = { hash: payload.blockHash, number: payload.blockNumber };
        this.#backlog.add(payload);
      }
      if (blocks.length < to - cursor.number || this.#stopping.signal.aborted) return;
    }
  }

  /** Puts the block after the cursor into the open channel, or the next one. False where all was started again meanwhile. */
  async #add(payload: ExecutionPayload, status: SyncStatus, era: AbortController): Promise<boolean> {
    const parent = this.#cursor;
    for (;;) {
      if (this.#open === undefined) {
        const opened = await this.#channel(status, payload);
        if (this.#generation !== era || this.#cursor !== parent) return false;
        this.#open = opened;
        this.#openAfter = parent;
      }
      if (this.#open.add(payload)) return true;
      this.#post(this.#open.close('full'), status);
    }
  }

  /** Opens a channel that begins with a block, as it was asked for, as far as the rules allow it. */
  async #channel(status: SyncStatus, first: ExecutionPayload): Promise<OpenChannel> {
    const rollup = this.#rollup;
    const { randomId } = this.#parts;
    const { policy, maxTxSize } = this.#config;
    const atHead = rollup.rulesAt(status.head_l1.timestamp);
    // Span batches are judged by the origin of their first block, which may lie before the head by much.
    const atOrigin = rollup.rulesAt(l1InfoOf(rollup, first).timestamp);
    const carrier = atHead.batches.blobs ? await this.#parts.daType() : 'calldata';
    const { targetNumFrames } = policy;
    const allowed: ChannelConfig = {
      ...policy,
      daType: carrier,
      batchType: atOrigin.batches.span ? policy.batchType : 'singular',
      compression: atHead.channels.brotli ? policy.compression : 'zlib',
      targetNumFrames: carrier === 'blobs' ? Math.min(targetNumFrames, MAX_BLOBS) : targetNumFrames,
      maxFrameSize: maxFrameSize(carrier, maxTxSize),
    };
    return openChannel(rollup, allowed, randomId(), this.#postedAt);
  }

  /** Sends a channel on its way. */
  #post(channel: BuiltChannel, status: SyncStatus): void {
    const { log } = this.#parts;
    this.#open = undefined;
    this.#postedAt = status.head_l1.number;
    const entry: SubmittedChannel = { first: channel.first, last: channel.last, included: undefined };
    this.#submitted.push(entry);
    const era = this.#generation;
    this.#submissions
      .submit(channel, era.signal)
      .then((included) => {
        if (era.signal.aborted) return;
        entry.included = included;
        log.info('Posted a channel', { from: channel.first.number, to: channel.last.number, l1: included.last });
      })
      .catch((error) => {
        if (era.signal.aborted) return;
        log.error('A channel cannot be posted, batching starts again from the safe head', { error: messageOf(error) });
        if (this.#generation === era) this.#restart();
      });
  }
}
