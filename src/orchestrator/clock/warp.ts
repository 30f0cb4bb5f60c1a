import { Failure, messageOf } from '../../system/failure.ts';
import type { ChannelServer } from '../channel/channel-server.ts';
import type { Plan } from '../plan/plan.ts';
import type { Emit } from '../state/events.ts';
import type { Followers } from './settle.ts';
import { Stalled, Stepper } from './stepper.ts';

/** The end of a warp. Times are Unix milliseconds of the network's clock. */
export interface WarpResult {
  readonly from: number;
  readonly at: number;
  readonly to: number;
  /** Whether it reached its target. False: it was ended before. */
  readonly complete: boolean;
  /** Wall time, ms. */
  readonly ms: number;
  /** Newest block of L1 and of each chain's sequencer; absent if the process is down. */
  readonly blocks: Readonly<Record<string, number>>;
}

/** A warp under way. */
export interface Warp {
  /** Unix milliseconds. */
  readonly to: number;
  /** Ends it at its slot's end. */
  end(): void;
  /** @throws Failure `warp` if L1 is not running, or a process stalls */
  readonly done: Promise<WarpResult>;
}

/** What a warp works on. */
export interface WarpIo {
  readonly channel: Pick<ChannelServer, 'clock' | 'quiesce'>;
  readonly followers: Followers;
  /** See `StepperOptions`, as for `apart`, `patience` and `stallAfterMs`. */
  readonly isStrict: boolean;
  readonly apart: Set<string>;
  readonly patience: number;
  readonly stallAfterMs?: number;
  /** The clock's time, Unix milliseconds. */
  readonly now: () => number;
  readonly emit: Emit;
  /** Keeps the clock's state for a later start: the supervisor may be killed. */
  readonly keep: () => void;
  /** Each ends the warp at its slot's end. */
  readonly signals: readonly AbortSignal[];
}

/** Wall time (ms) between two events about the progress of a warp, with which the clock is kept. */
const TELL_EVERY_MS = 200;

/** Moves the clock to a time (ms), from block to block. */
export function startWarp(to: number, rhythm: Rhythm, io: WarpIo): Warp {
  const ending = new AbortController();
  const over = AbortSignal.any([ending.signal, ...io.signals]);
  return { to, end: () => ending.abort(), done: runWarp(to, rhythm, over, io) };
}

async function runWarp(to: number, rhythm: Rhythm, over: AbortSignal, io: WarpIo): Promise<WarpResult> {
  const { channel, followers, isStrict, now, emit, keep } = io;
  const from = now();
  const started = performance.now();
  mustHaveL1(followers);
  const { apart, patience, stallAfterMs } = io;
  const steps = new Stepper({
    ...{ channel, isStrict, apart, patience },
    ...(stallAfterMs === undefined ? {} : { stallAfterMs }),
    ...{ followers: followers.all, kindOf: followers.kindOf },
  });
  let lastEvent = started;
  let at = from;
  try {
    await steps.step(from);
    while (at < to && !over.aborted) {
      mustHaveL1(followers);
      const next = Math.min(to, nextInstant(rhythm, at));
      await steps.step(next);
      at = next;
      if (performance.now() - lastEvent < TELL_EVERY_MS) continue;
      lastEvent = performance.now();
      keep();
      emit({ event: 'warp', from, at, to });
    }
    await steps.settle();
  } catch (error) {
    if (!(error instanceof Stalled)) throw error;
    const [first] = error.awaited;
    throw new Failure(
      'warp',
      `the warp ended at ${isoInstant(now())}: ${messageOf(error)}; ` +
        `see \`devnet logs ${first?.task ?? ''}\`, or stop that process to go on without it`,
      { cause: error },
    );
  }
  const ms = Math.round(performance.now() - started);
  return { from, at, to, complete: at >= to, ms, blocks: followers.blocks() };
}

/** @throws Failure `warp` if no process makes blocks of L1 */
function mustHaveL1(followers: Followers): void {
  if (followers.hasL1()) return;
  throw new Failure('warp', "the network's clock moves with L1, and l1 or l1-beacon is not running: start it first");
}

/** Genesis time and block times of a network, seconds. */
export interface Rhythm {
  readonly genesisTime: number;
  readonly l1BlockTime: number;
  readonly l2BlockTimes: readonly number[];
}

/** Returns the rhythm of a plan's network. */
export function rhythmOf({ genesisTime, network }: Plan): Rhythm {
  return {
    genesisTime,
    l1BlockTime: network.l1.blockTime,
    l2BlockTimes: network.chains.map(({ blockTime }) => blockTime),
  };
}

/** Returns the first time (ms) after `after` at which a block of L1 or of a chain is due. */
export function nextInstant(rhythm: Rhythm, after: number): number {
  const all = [rhythm.l1BlockTime, ...rhythm.l2BlockTimes];
  return Math.min(...all.map((blockTime) => nextBlockTime(rhythm, blockTime, after)));
}

/** Returns the first time (ms) after `after` at which a block of one block time (seconds) is due. */
export function nextBlockTime({ genesisTime }: Rhythm, blockTime: number, after: number): number {
  return genesisTime * 1000 + nextMultiple(blockTime * 1000, after - genesisTime * 1000);
}

/** Returns the first positive multiple above `value`. */
function nextMultiple(unit: number, value: number): number {
  return Math.max(1, Math.floor(value / unit) + 1) * unit;
}

/** Returns a time (ms) to the second, as ISO 8601. */
export function isoInstant(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
