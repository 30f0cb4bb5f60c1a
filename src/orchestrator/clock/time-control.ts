/**
 * What moves the clock of a network, and when a move is over:
 *
 * 1. At its usual rate the clock runs by itself, and each process computes its time from the last state that it was
 *    sent (`system/time/clock.ts`). A clock of rate 0 stands.
 * 2. A warp, a stepped clock and the instant clock move it in steps, from one block time of L1 or L2 to the next
 *    (`warp.ts`). The supervisor is the only owner. A process asks it through the channel
 *    (`channel/channel-server.ts`), a command through the control socket.
 * 3. A step pushes one state with a number to the processes, in the turns of `settle.ts`: l1-beacon makes its block,
 *    then rollup nodes follow, batchers and proposers last. If equal runs need not make equal blocks, turns overlap.
 * 4. A process reports the number of the step when it has no work left, with its heads: a beacon after its block, a
 *    rollup node when its event loop is idle, batcher and proposer when nothing is left to send
 *    (`system/channel/progress.ts`). Gossip and L1 announce blocks as always: nothing is simulated.
 * 5. The step is over when `settle.ts` finds no report that is old, behind L1 or behind its sequencer. A process that
 *    is not done after 20 s ends the warp, with its name. After a change of processes that is a minute.
 *
 * One move at a time: a second one gets `busy`. A snapshot or a change of forks holds the clock meanwhile.
 */
import { Failure } from '../../system/failure.ts';
import { spanText } from '../../system/numbers/human.ts';
import { type ClockState, timeAt, withRate } from '../../system/time/clock.ts';
import type { ChannelServer } from '../channel/channel-server.ts';
import { isBusy } from '../control/refusals.ts';
import type { Plan } from '../plan/plan.ts';
import { wallClockNotice } from '../plan/wall-clock.ts';
import type { LiveTask } from '../processes/live-task.ts';
import type { Emit } from '../state/events.ts';
import type { ClockReading, HeldClock } from './reading.ts';
import { clockFollowers, type Followers, type Severed } from './settle.ts';
import {
  isoInstant,
  nextBlockTime,
  nextInstant,
  type Rhythm,
  rhythmOf,
  startWarp,
  type Warp,
  type WarpResult,
} from './warp.ts';

export interface TimeControlIo {
  readonly plan: () => Plan;
  readonly tasks: ReadonlyMap<string, LiveTask>;
  readonly channel: Pick<ChannelServer, 'clock' | 'quiesce'>;
  /** Returns which links of a task a fault has cut. */
  readonly severed?: (task: string) => Severed | undefined;
  readonly emit: Emit;
  /** Resolves when the processes that start late are ready or failed: they take part in each step. */
  readonly late: Promise<unknown>;
  /** Keeps a state for a later start. */
  readonly keep: (state: ClockState, isPaused: boolean) => void;
  /** Whether the clock stands until a user resumes it. Default: false. */
  readonly isPaused?: boolean;
  /** Factor of the wall times in which processes must follow a step. Default: 1. */
  readonly patience?: number;
  /** Aborted when the network ends. */
  readonly signal: AbortSignal;
}

/** Wall time (ms) in which moves of the clock are gathered before its state is kept. */
const KEEP_AFTER_MS = 200;

/** Returns the usual rate of a network's clock: chain milliseconds of a wall millisecond. */
export function usualRate({ time }: Plan): number {
  return time.clock === 'stepped' ? 0 : time.rate;
}

/** Wall time (ms) for a step after a process was started, which derives its whole chain in it. */
const STARTED_STALL_MS = 60_000;

/** Moments of the clock within which a node without gossip derives its first block. */
const FIRST_SLOTS = 60;

/** Moves the clock of a running network, which runs at its usual rate unless it is paused. One warp at a time. */
export class TimeControl {
  readonly #io: TimeControlIo;
  readonly #followers: Followers;
  readonly #rate: number;
  #keeping: NodeJS.Timeout | undefined;
  #isPaused: boolean;
  #running: Warp | undefined;
  /** Ends the warps that wait for the late processes. */
  #waiting = new AbortController();
  /** Why nothing may move the clock. */
  #holdPurpose: string | undefined;
  /** Verifiers that gossip does not reach: a later move does not wait for them again. */
  readonly #apart = new Set<string>();
  /** Block times (seconds) for which the clock moves when it goes on. */
  readonly #lateBlockTimes = new Set<number>();

  constructor(io: TimeControlIo) {
    this.#io = io;
    this.#rate = usualRate(io.plan());
    this.#isPaused = io.isPaused === true;
    this.#followers = clockFollowers(io.plan, io.tasks, io.channel.quiesce, io.severed);
  }

  state(): ClockState {
    return this.#io.channel.clock.state();
  }

  /** Milliseconds by which the clocks of single tasks are ahead. */
  skews(): ReadonlyMap<string, number> {
    return this.#io.channel.clock.skews();
  }

  /** Whether the clock stands or is moved in steps. No movement of a head can be expected by the wall clock then. */
  isHeld(): boolean {
    return this.#running !== undefined || this.#isPaused || this.#holdPurpose !== undefined || this.#rate === 0;
  }

  read(): ClockReading {
    return {
      at: this.#now(),
      rate: this.state().rate,
      isPaused: this.#isPaused,
      ...(this.#running === undefined ? {} : { warp: { to: this.#running.to } }),
    };
  }

  /** Builds the first block of every chain on a stepped clock, so that the network can become ready. */
  async begin(): Promise<void> {
    const rhythm = this.#rhythm();
    const first = (rhythm.genesisTime + Math.max(rhythm.l1BlockTime, ...rhythm.l2BlockTimes)) * 1000;
    if (this.#rate !== 0) return;
    if (this.#now() < first) await this.#move(first, rhythm);
    for (let left = FIRST_SLOTS; left > 0 && this.#followers.lacksFirstBlock(); left--)
      await this.#move(nextInstant(rhythm, this.#now()), rhythm);
  }

  /**
   * Moves the clock to a time (ms) slot by slot. `gone`: ends the warp at its slot's end.
   * @throws Failure `busy` beside another move, `warp` if it cannot be moved or if a process stalls
   */
  async warp(to: number, ending?: AbortSignal): Promise<WarpResult> {
    const { signal } = this.#waiting;
    await this.#movable();
    const from = this.#now();
    if (to <= from)
      throw new Failure(
        'warp',
        `a warp goes forward only: the network's clock is at ${isoInstant(from)}, ` +
          `${spanText(Math.ceil((from - to) / 1000))} past ${isoInstant(to)}`,
      );
    const over = ending === undefined ? signal : AbortSignal.any([signal, ending]);
    return this.#move(to, this.#rhythm(), { ending: over });
  }

  /** Moves the clock to the next time at which a block is due. */
  async step(): Promise<WarpResult> {
    await this.#movable();
    const rhythm = this.#rhythm();
    return this.#move(nextInstant(rhythm, this.#now()), rhythm);
  }

  /** Waits until all processes are done with the present time, also those that were just started. */
  async settle(): Promise<void> {
    await this.#movable();
    await this.#settleNow(STARTED_STALL_MS);
  }

  /** Ends the warp under way at its slot's end, also one that has not begun to move the clock. */
  end(): void {
    this.#running?.end();
    this.#waiting.abort();
    this.#waiting = new AbortController();
  }

  pause(): void {
    this.#mustBeMovable();
    this.#isPaused = true;
    this.#setRate(0);
  }

  resume(): void {
    this.#mustBeMovable();
    if (this.#rate === 0)
      throw new Failure('warp', 'the clock of this network is stepped: only `devnet warp` moves it');
    this.#isPaused = false;
    this.#goOn();
  }

  /**
   * Moves the clock at once to the next time at which a block of a block time (seconds) is due. A clock that is paused
   * or held moves when it goes on. Without effect while a warp is under way, which makes blocks itself.
   */
  advance(blockTime: number): void {
    if (this.#running !== undefined) return;
    if (this.#isPaused || this.#holdPurpose !== undefined) {
      this.#lateBlockTimes.add(blockTime);
      return;
    }
    const at = nextBlockTime(this.#rhythm(), blockTime, this.#now());
    this.#io.channel.clock.push({ at, wall: Date.now(), rate: this.#rate }, { watched: false });
    this.#keepLater();
  }

  /** Sets the clock at once, without waiting for any process. */
  jump(to: number, rate: number): void {
    this.#mustBeMovable();
    this.#set({ at: to, wall: Date.now(), rate });
  }

  /** Stops the clock for work during which nothing may move it. `settled`: after all processes are done. */
  async hold(purpose: string, settled: boolean): Promise<HeldClock> {
    await this.#movable();
    this.#holdPurpose = purpose;
    this.#stand(this.#now());
    try {
      if (settled) await this.#settleNow();
    } catch (error) {
      this.#release();
      throw error;
    }
    return {
      at: this.#now(),
      set: (at) => this.#set({ at, wall: Date.now(), rate: 0 }),
      move: (at) => this.#stand(at),
      release: () => this.#release(),
    };
  }

  #now(): number {
    return timeAt(this.state(), Date.now());
  }

  #rhythm(): Rhythm {
    return rhythmOf(this.#io.plan());
  }

  /**
   * Stops the clock at a time. A pause that ends soon is not kept for a later start: writing it takes longer than a
   * return without a restart.
   */
  #stand(at: number): void {
    this.#io.channel.clock.push({ at, wall: Date.now(), rate: 0 }, { watched: false });
  }

  #release(): void {
    this.#holdPurpose = undefined;
    const rate = this.#isPaused ? 0 : this.#rate;
    this.#io.channel.clock.push({ at: this.#now(), wall: Date.now(), rate }, { watched: false });
    this.#keepLater();
    if (!this.#isPaused) this.#makeLateBlocks();
  }

  async #settleNow(stallMs?: number): Promise<void> {
    if (this.#followers.hasL1()) await this.#move(this.#now(), this.#rhythm(), { stallMs });
  }

  /** Keeps the state soon: a clock that follows transactions moves with each block. */
  #keepLater(): void {
    const { signal, keep } = this.#io;
    this.#keeping ??= setTimeout(() => {
      this.#keeping = undefined;
      if (!signal.aborted) keep(this.state(), this.#isPaused);
    }, KEEP_AFTER_MS).unref();
  }

  #setRate(next: number): void {
    this.#set(withRate(this.state(), next, Date.now()));
  }

  #set(state: ClockState): void {
    this.#io.channel.clock.push(state, { watched: false });
    this.#io.keep(state, this.#isPaused);
  }

  /** Lets the clock run on, unless something else still stops it. */
  #goOn(): void {
    const stands = this.#isPaused || this.#holdPurpose !== undefined;
    this.#setRate(stands ? 0 : this.#rate);
    if (!stands) this.#makeLateBlocks();
  }

  #makeLateBlocks(): void {
    for (const blockTime of this.#lateBlockTimes) this.advance(blockTime);
    this.#lateBlockTimes.clear();
  }

  /** `stallMs`: wall time for a process, in place of that for a step. */
  async #move(
    to: number,
    rhythm: Rhythm,
    { ending, stallMs }: { readonly ending?: AbortSignal; readonly stallMs?: number | undefined } = {},
  ): Promise<WarpResult> {
    const { channel, emit, signal, patience = 1 } = this.#io;
    const signals = ending === undefined ? [signal] : [signal, ending];
    const now = () => this.#now();
    const followers = this.#followers;
    this.#running = startWarp(to, rhythm, {
      ...{ channel, followers, now, emit, signals, patience },
      keep: () => this.#io.keep(this.state(), this.#isPaused),
      ...{ isStrict: this.#rate === 0, apart: this.#apart },
      ...(stallMs === undefined ? {} : { stallAfterMs: stallMs * patience }),
    });
    try {
      return await this.#running.done;
    } finally {
      this.#running = undefined;
      this.#goOn();
    }
  }

  /** Resolves when the late processes take part in a move. @throws Failure if the clock cannot be moved */
  async #movable(): Promise<void> {
    this.#mustBeMovable();
    await this.#io.late;
    this.#mustBeMovable();
  }

  #mustBeMovable(): void {
    if (this.#holdPurpose !== undefined)
      throw isBusy(this.#holdPurpose, `the network's clock stands for ${this.#holdPurpose}: wait until that is done`);
    if (this.#running !== undefined)
      throw isBusy(
        'a warp',
        `a warp to ${isoInstant(this.#running.to)} is under way, now at ${isoInstant(this.#now())}: ` +
          'wait for it, or end the command that moves it (an agent cancels its call of `warp`)',
      );
    const notice = wallClockNotice(this.#io.plan().tasks);
    if (notice !== undefined) throw new Failure('warp', notice);
  }
}
