import type { L1Header } from '../../../protocol/types.ts';
import type { WebSocketRpcClient } from '../../../rpc/client/websocket-client.ts';
import { isJsonObject } from '../../../rpc/json-object.ts';
import { type Quiesce, rest } from '../../../system/channel/quiesce.ts';
import type { Logger } from '../../../system/program/log.ts';
import { backoff } from '../../../system/time/backoff.ts';
import type { Clock } from '../../../system/time/clock.ts';
import { pause } from '../../../system/time/pause.ts';
import type { L1Client, L1Label } from './client.ts';

/** Settings of the watch, and the parts that it works with. */
export interface L1WatchOptions {
  readonly client: L1Client;
  /** Present: heads arrive by subscription. Absent: the head is polled. */
  readonly socket: WebSocketRpcClient | undefined;
  /** Milliseconds between polls of the head. */
  readonly headPollMs: number;
  /**
   * Milliseconds between polls of the safe and finalized block; 0 or less: never polled.
   * With a subscription, a poll goes out with a head that arrives up to a quarter of this time before or after it is
   * due.
   */
  readonly epochPollMs: number;
  /** The polls follow this clock. */
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly onBlock: (label: L1Label, header: L1Header) => void;
}

/** Pauses between attempts while L1 does not answer: the first and the longest, ms. */
const RETRY = [20, 100] as const;

/** The reports of L1's blocks. */
export interface L1Watch {
  /** Drops answers and announcements of L1 until `resume`: L1 goes back to an earlier moment. */
  suspend(): void;
  /** Reports again, also blocks that were reported before. */
  resume(): void;
}

/**
 * Reports each new head, safe and finalized L1 block until aborted.
 * Counterpart in op-service: `WatchHeadChanges`, `PollBlockChanges`, in kona: `L1WatcherActor`.
 * Never throws: a failing L1 is retried and logged once.
 */
export function watchHeadChanges(options: L1WatchOptions): L1Watch {
  const last = new Map<L1Label, string>();
  let isSuspended = false;
  let returns = 0;
  const tell = (label: L1Label, header: L1Header) => {
    if (isSuspended || last.get(label) === header.hash) return;
    last.set(label, header.hash);
    options.onBlock(label, header);
  };
  const poll = async (label: L1Label) => {
    const before = returns;
    const header = await options.client.headerByLabel(label);
    if (header && before === returns) tell(label, header);
  };
  let polledAt = Number.NEGATIVE_INFINITY;
  const polling = options.clock.activity();
  const pollEpoch = async () => {
    polledAt = options.clock.now();
    polling.busy();
    await Promise.all([poll('safe'), poll('finalized')]).finally(() => polling.idle());
  };
  const { epochPollMs } = options;
  const isWithHeads = options.socket !== undefined && epochPollMs > 0;
  /** Time of the clock since the last poll. After a return to an earlier moment it is long ago. */
  const since = () => (options.clock.now() < polledAt ? Number.POSITIVE_INFINITY : options.clock.now() - polledAt);
  if (options.socket)
    void subscribe(
      options,
      options.socket,
      () => poll('latest'),
      (header) => {
        tell('latest', header);
        // These requests and those for the block of this head share a batch.
        if (isWithHeads && since() >= 0.75 * epochPollMs) void pollEpoch().catch(() => {});
      },
    );
  else
    void repeat(
      options,
      'L1 head',
      () => Math.max(20, options.headPollMs),
      () => poll('latest'),
    );
  if (epochPollMs > 0) {
    const due = isWithHeads ? 1.25 * epochPollMs : epochPollMs;
    const left = () => (isWithHeads ? Math.max(0, due - since()) : due);
    void repeat(
      options,
      'L1 finality',
      () => left() || due,
      async () => {
        if (!isWithHeads || left() === 0) await pollEpoch();
      },
    );
  }
  return {
    suspend() {
      isSuspended = true;
      returns++;
    },
    resume() {
      isSuspended = false;
      last.clear();
    },
  };
}

/** Repeats a poll until aborted (op-service: `PollingClient`). `next`: milliseconds of the clock until the next run. */
async function repeat(
  options: L1WatchOptions,
  what: string,
  next: () => number,
  run: () => Promise<void>,
): Promise<void> {
  const { clock, log, signal } = options;
  const pauses = backoff(...RETRY);
  const activity = clock.activity();
  activity.busy();
  while (!signal.aborted) {
    try {
      await run();
      if (pauses.failures > 0) log.info(`${what}: L1 answers again`, { failures: pauses.failures });
      pauses.succeeded();
      await rest(clock, activity, next(), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (pauses.isNews(error)) log.warn(`${what}: L1 does not answer, trying again`, { error });
      await pause(Math.min(next(), pauses.next()), signal);
    }
  }
}

/** Subscribes to new heads until aborted, and again after each failure (op-service: `SubscribeNewHead`). */
async function subscribe(
  options: L1WatchOptions,
  socket: WebSocketRpcClient,
  pollHead: () => Promise<void>,
  tell: (header: L1Header) => void,
): Promise<void> {
  const { log, signal, client } = options;
  const pauses = backoff(...RETRY);
  while (!signal.aborted) {
    try {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        const receive = (item: unknown) => {
          try {
            if (isJsonObject(item)) tell(client.learn(item));
          } catch (error) {
            log.warn('L1 announced a head that does not verify', { error });
          }
        };
        socket
          .subscribe(['newHeads'], receive, reject)
          .then(async () => {
            await pollHead();
            if (pauses.failures > 0) log.info('L1 answers again', { failures: pauses.failures });
            pauses.succeeded();
          })
          .catch(reject);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (pauses.isNews(error)) log.warn('no L1 heads, trying again', { error });
      await pause(pauses.next(), signal);
    }
  }
}
