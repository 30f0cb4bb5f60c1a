import { isDeepStrictEqual } from 'node:util';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import { rollupOf } from '../../protocol/derivation/rollup.ts';
import type { BlockId, ExecutionPayload, RollupConfig } from '../../protocol/types.ts';
import { type RpcClient, TransportError } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { rest } from '../../system/channel/quiesce.ts';
import { type Traces, traceTime } from '../../system/channel/supervised-traces.ts';
import { messageOf } from '../../system/failure.ts';
import { backoff } from '../../system/time/backoff.ts';
import { pause } from '../../system/time/pause.ts';
import type { SyncStatus } from '../txmgr/sync-status.ts';
import { Backlog } from './backlog.ts';
import { type BuiltChannel, type ChannelConfig, type OpenChannel, openChannel } from './channel-builder.ts';
import { channelConfigAt, channelId } from './channel-config.ts';
import type { DaType } from './options/da-type.ts';
import { fetchBlocks, idOf, pollNode } from './source.ts';
import { type SubmissionDeps, type SubmissionQueue, submissionQueue } from './submission-queue.ts';
import { computeSyncAction, type SubmittedChannel } from './sync-actions.ts';

/** Settings of the batch submitter (op-batcher: `BatcherConfig`). */
export interface BatcherConfig {
  readonly policy: Omit<ChannelConfig, 'maxFrameSize' | 'daType'>;
  /** Bytes of calldata of one transaction. */
  readonly maxTxSize: number;
  /** L1 transactions in flight. */
  readonly maxPending: number;
  /** Milliseconds of the clock. */
  readonly pollInterval: number;
}

/** Clients and callbacks of the batch submitter (op-batcher: `DriverSetup`). */
export interface BatcherDeps extends SubmissionDeps {
  readonly node: RpcClient;
  readonly execution: RpcClient;
  /** Returns the DA type of the next channel. */
  readonly daType: () => Promise<DaType>;
  /** Resolves once batching may start. */
  readonly ready: (signal: AbortSignal) => Promise<void>;
  /** Receives the estimated size on L1 of the unsafe blocks. */
  readonly onBacklog: (bytes: number) => void;
  /** Takes the time of each channel, from its first block to its inclusion. */
  readonly traces: Traces;
}

/** Blocks of one read. */
const READ_AHEAD = 32;
/** Longest pause after failures in a row, ms. */
const MAX_BACKOFF_MS = 4000;

/**
 * Batches from start to stop: reads the sequencer's blocks after the safe head, fills channels and submits them.
 * All state can be read again: after any failure, batching restarts at the safe head (op-batcher: `BatchSubmitter`).
 */
export class BatchSubmitter {
  readonly #config: BatcherConfig;
  readonly #parts: BatcherDeps;
  /** The rollup node's configuration at the last poll. */
  #rollup: Rollup;
  readonly #stopping = new AbortController();
  /** Aborts every submission from before the last restart. */
  #generation = new AbortController();
  /** The newest block in a channel; undefined from a restart to the next poll: start at the safe head. */
  #cursor: BlockId | undefined;
  #open: OpenChannel | undefined;
  /** Time at which the open channel got its first block, by `traceTime`. */
  #openSince = 0;
  /** Channels that this process has opened. */
  #opened = 0;
  /** The newest block before the open channel. */
  #openAfter: BlockId | undefined;
  readonly #backlog = new Backlog();
  /** The L1 block that the rollup node had derived. */
  #derivedTo = 0;
  #saidBehind = false;
  /** Number of the safe head at the last poll. */
  #safe = 0;
  /** L1 head at the last submission. */
  #postedAt = 0;
  #submitted: SubmittedChannel[] = [];
  readonly #submissions: SubmissionQueue;
  /** Count of flushes, asked for and done. */
  #flushes = { asked: 0, done: 0 };
  /** Whether a channel is due while another one is submitted. */
  #waits = false;
  #wake: () => void = () => {};
  readonly done: Promise<void>;

  constructor(config: BatcherConfig, parts: BatcherDeps) {
    this.#config = config;
    this.#parts = parts;
    this.#rollup = parts.rollup;
    this.#submissions = submissionQueue(parts, config.maxPending, () => this.#free());
    this.done = this.#loop();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    this.#generation.abort();
    return this.done;
  }

  /** Submits at once all blocks that the rollup node has now. */
  flush(): void {
    this.#flushes.asked++;
    this.#wake();
  }

  /** Rebuilds the open channel: the DA type may have changed. */
  reopen(): void {
    if (this.#open === undefined) return;
    this.#open = undefined;
    this.#cursor = this.#openAfter;
    this.#backlog.dropAbove(this.#cursor?.number ?? -1);
    this.#wake();
  }

  /** Posts at once a channel that waits for another one, whichever was first in a step of the clock. */
  #free(): void {
    if (this.#waits) this.#wake();
  }

  async #loop(): Promise<void> {
    const { clock, log, ready } = this.#parts;
    const activity = clock.activity();
    activity.busy();
    const { signal } = this.#stopping;
    const { pollInterval } = this.#config;
    const pauses = backoff(2 * Math.max(pollInterval, 100), MAX_BACKOFF_MS);
    let isReady = false;
    while (!signal.aborted) {
      const nap = new AbortController();
      this.#wake = () => nap.abort();
      const woken = AbortSignal.any([signal, nap.signal]);
      try {
        if (!isReady) await ready(signal);
        isReady = true;
        await this.#syncAndPublish();
        pauses.succeeded();
        await rest(clock, activity, pollInterval, woken);
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof TransportError || error instanceof RpcError)) {
          log.error('Batching starts again from the safe head', { error });
          this.#restart();
        } else log.warn('Cannot read the sequencer or L1', { error });
        await pause(pauses.next(), woken);
      }
    }
    activity.idle();
  }

  /**
   * Polls the rollup node, reads new blocks, and submits channels (op-batcher: `loadBlocksIntoState`,
   * `publishStateToL1`).
   */
  async #syncAndPublish(): Promise<void> {
    // A flush that comes meanwhile is for the next poll: this one may not know the newest blocks.
    const { asked } = this.#flushes;
    const { config, status } = await pollNode(this.#parts.node);
    this.#followConfig(config);
    if (status === undefined || this.#stopping.signal.aborted || this.#isBehind(status)) return;
    this.#check(status);
    await this.#read(status);
    this.#backlog.dropThrough(status.safe_l2.number);
    this.#parts.onBacklog(this.#backlog.bytes);
    const reason = asked > this.#flushes.done ? 'flushed' : this.#open?.due(status.head_l1.number);
    // A due channel waits for the previous submission: a slow machine sends fewer, fuller channels.
    this.#waits = reason === 'due' && this.#submissions.isBusy;
    if (this.#waits) return;
    if (reason !== undefined && this.#open !== undefined) this.#post(this.#open.close(reason), status);
    this.#flushes.done = asked;
  }

  /**
   * Follows the rollup node's configuration: a restarted node may have other fork times. Blocks read under the old
   * ones are read again.
   */
  #followConfig(config: RollupConfig): void {
    if (isDeepStrictEqual(config, this.#rollup.config)) return;
    this.#rollup = rollupOf(config);
    this.#parts.log.warn('The rollup node has another configuration, batching starts again from the safe head');
    this.#restart();
  }

  /**
   * Returns whether the rollup node derives again after a reorganisation of L1 or a restart. Its safe head is not
   * usable meanwhile.
   */
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

  /** Removes the channels whose blocks became safe, or restarts (op-batcher: `syncAndPrune`). */
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
      this.#restart();
      this.#cursor = idOf(status.safe_l2);
    }
  }

  /** Drops all state, so that batching restarts at the safe head (op-batcher: `clearState`). */
  #restart(): void {
    this.#generation.abort();
    this.#generation = new AbortController();
    this.#cursor = undefined;
    this.#open = undefined;
    this.#submitted = [];
    this.#backlog.dropAbove(-1);
  }

  /** Adds every unsafe block after the cursor to channels; full channels are submitted. */
  async #read(status: SyncStatus): Promise<void> {
    const { execution, log } = this.#parts;
    while (this.#cursor !== undefined && this.#cursor.number < status.unsafe_l2.number) {
      const cursor = this.#cursor;
      const to = Math.min(status.unsafe_l2.number, cursor.number + READ_AHEAD);
      const blocks = await fetchBlocks(execution, this.#rollup, cursor.number + 1, to);
      for (const payload of blocks) {
        // A submission may have failed meanwhile, or the channel is rebuilt.
        const parent: BlockId | undefined = this.#cursor;
        if (parent === undefined || payload.blockNumber !== parent.number + 1) return;
        if (payload.parentHash !== parent.hash) {
          log.warn('The sequencer reorganised L2, batching starts again from the safe head', {
            number: payload.blockNumber,
            parent: payload.parentHash,
            read: parent.hash,
          });
          return this.#restart();
        }
        if (!(await this.#add(payload, status))) return;
        this.#cursor = { hash: payload.blockHash, number: payload.blockNumber };
        this.#backlog.add(payload);
      }
      if (blocks.length < to - cursor.number || this.#stopping.signal.aborted) return;
    }
  }

  /** Adds the block after the cursor to a channel. Returns false if batching restarted meanwhile. */
  async #add(payload: ExecutionPayload, status: SyncStatus): Promise<boolean> {
    const parent = this.#cursor;
    for (;;) {
      if (this.#open === undefined) {
        const opened = await this.#channel(status, payload);
        if (this.#cursor !== parent) return false;
        this.#open = opened;
        this.#openSince = traceTime();
        this.#openAfter = parent;
      }
      if (this.#open.add(payload)) return true;
      this.#post(this.#open.close('full'), status);
    }
  }

  /** Opens a channel for a first block, with the configured settings as far as the rules allow them. */
  async #channel({ head_l1: head }: SyncStatus, first: ExecutionPayload): Promise<OpenChannel> {
    const rollup = this.#rollup;
    const { policy, maxTxSize } = this.#config;
    const carrier = rollup.rulesAt(head.timestamp).batches.blobs ? await this.#parts.daType() : 'calldata';
    const config = channelConfigAt(rollup, head, first, { ...policy, daType: carrier }, maxTxSize);
    return openChannel(rollup, config, channelId(head, first, this.#opened++), this.#postedAt);
  }

  /** Submits a channel. */
  #post(channel: BuiltChannel, status: SyncStatus): void {
    const { log, traces } = this.#parts;
    const from = this.#openSince;
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
        const of = channel.frames[0]?.channelId;
        if (of !== undefined) {
          const range = { first: channel.first.hash, last: channel.last.hash, number: included.last };
          traces.mark({ mark: 'batch', of, from, to: traceTime(), ...range });
        }
        log.info('Posted a channel', { from: channel.first.number, to: channel.last.number, l1: included.last });
      })
      .catch((error) => {
        if (era.signal.aborted) return;
        log.error('A channel cannot be posted, batching starts again from the safe head', { error: messageOf(error) });
        this.#restart();
      });
  }
}
