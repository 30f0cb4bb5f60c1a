import { Failure } from '../../system/failure.ts';
import { type ClockState, timeAt, withRate } from '../../system/time/clock-state.ts';
import { isBusy } from '../control/refusals.ts';
import type { Plan } from '../plan/plan.ts';
import { wallClockNotice } from '../plan/wall-clock.ts';
import type { LiveTask } from '../processes/live-task.ts';
import type { Emit } from '../state/events.ts';
import type { ClockServer } from './clock-server.ts';
import { clockFollowers } from './followers.ts';
import { isoInstant, nextBlockTime, nextInstant, type Rhythm, rhythmOf } from './instants.ts';
import { startWarp, type Warp, type WarpResult } from './warp.ts';

/** The network's clock and what moves it. */
export interface ClockReading {
  /** Unix milliseconds. */
  readonly at: number;
  readonly rate: number;
  readonly isPaused: boolean;
  /** A warp under way, with its target in Unix milliseconds. */
  readonly warp?: { readonly to: number };
}

/** Moves the clock of a running network. One warp at a time. */
export interface TimeControl {
  state(): ClockState;
  /** Whether the clock stands or is moved in steps. No movement of a head can be expected by the wall clock then. */
  isHeld(): boolean;
  read(): ClockReading;
  /**
   * Moves the clock to a time (ms) slot by slot. `gone`: ends the warp at its slot's end.
   * @throws Failure `busy` beside another move, `warp` where it cannot be moved or where a process stalls
   */
  warp(to: number, gone?: AbortSignal): Promise<WarpResult>;
  /** Builds the first block of every chain on a stepped clock, so that the network can become ready. */
  begin(): Promise<void>;
  /** Moves the clock to the next time at which a block is due. */
  step(): Promise<WarpResult>;
  /** Waits until all processes are done with the present time, also those that were just started. */
  settle(): Promise<void>;
  /** Ends the warp under way at its slot's end, also one that has not begun to move the clock. */
  end(): void;
  pause(): void;
  resume(): void;
  /**
   * Moves the clock at once to the next time at which a block of a block time (seconds) is due. A clock that is paused
   * or held moves when it goes on. Without effect while a warp is under way, which makes blocks itself.
   */
  advance(blockTime: number): void;
  /** Sets the clock at once, without waiting for any process. */
  jump(to: number, rate: number): void;
  /** Stops the clock for work during which nothing may move it. `settled`: after all processes are done. */
  hold(purpose: string, settled: boolean): Promise<HeldClock>;
}

/** A clock that stands until it is released. Nothing else can move it. */
export interface HeldClock {
  /** Unix milliseconds. */
  readonly at: number;
  /** Sets the time at which it stands, also for processes that are started next. */
  set(at: number): void;
  /** Sets the time at which it stands for the processes that run. */
  move(at: number): void;
  /** Lets it run on as before. */
  release(): void;
}

export interface TimeControlIo {
  readonly plan: () => Plan;
  readonly tasks: ReadonlyMap<string, LiveTask>;
  readonly server: ClockServer;
  readonly emit: Emit;
  /** Resolves when the processes that start late are ready or failed: they take part in each step. */
  readonly late: Promise<unknown>;
  /** Keeps a state for a later start. */
  readonly keep: (state: ClockState, isPaused: boolean) => void;
  /** Whether the clock stands until a user resumes it. Default: false. */
  readonly isPaused?: boolean;
  /** Aborted when the network ends. */
  readonly signal: AbortSignal;
}

/** Wall time (ms) in which moves of the clock are gathered before its state is kept. */
const KEEP_AFTER = 200;

/** Returns the usual rate of a network's clock: chain milliseconds of a wall millisecond. */
export function usualRate({ time }: Plan): number {
  return time.clock === 'stepped' ? 0 : time.rate;
}

/** Moments of the clock within which a node without gossip derives its first block. */
const FIRST_SLOTS = 60;

/** Creates the control of a network's clock, which runs at its usual rate unless it is paused. */
export function timeControl(io: TimeControlIo): TimeControl {
  const { server } = io;
  const rate = usualRate(io.plan());
  let keeping: NodeJS.Timeout | undefined;
  let isPaused = io.isPaused === true;
  let running: Warp | undefined;
  /** Ends the warps that wait for the late processes. */
  let waiting = new AbortController();
  /** Why nothing may move the clock. */
  let held: string | undefined;
  /** Block times (seconds) for which the clock moves when it goes on. */
  const owed = new Set<number>();

  const now = () => timeAt(server.state(), Date.now());
  const followers = clockFollowers(io.plan, io.tasks, server);

  /** Keeps the state soon: a clock that follows transactions moves with each block. */
  function keepLater(): void {
    if (keeping !== undefined) return;
    keeping = setTimeout(() => {
      keeping = undefined;
      if (!io.signal.aborted) io.keep(server.state(), isPaused);
    }, KEEP_AFTER).unref();
  }

  function setRate(next: number): void {
    set(withRate(server.state(), next, Date.now()));
  }

  /** Lets the clock run on, unless something else still stops it. */
  function goOn(): void {
    setRate(isPaused || held !== undefined ? 0 : rate);
    if (!isPaused && held === undefined) payOwed();
  }

  function payOwed(): void {
    for (const blockTime of owed) advance(blockTime);
    owed.clear();
  }

  function advance(blockTime: number): void {
    if (running !== undefined) return;
    if (isPaused || held !== undefined) {
      owed.add(blockTime);
      return;
    }
    const at = nextBlockTime(rhythmOf(io.plan()), blockTime, now());
    server.push({ at, wall: Date.now(), rate }, { watched: false });
    keepLater();
  }

  function set(state: ClockState): void {
    server.push(state, { watched: false });
    io.keep(state, isPaused);
  }

  function mustBeMovable(): void {
    if (held !== undefined) throw isBusy(`the network's clock stands for ${held}: wait until that is done`);
    if (running !== undefined)
      throw isBusy(
        `a warp to ${isoInstant(running.to)} is under way, now at ${isoInstant(now())}: ` +
          'wait for it, or end it with Ctrl-C',
      );
    const notice = wallClockNotice(io.plan().tasks);
    if (notice !== undefined) throw new Failure('warp', notice);
  }

  async function move(to: number, rhythm: Rhythm, gone?: AbortSignal): Promise<WarpResult> {
    const signals = gone === undefined ? [io.signal] : [io.signal, gone];
    running = startWarp(to, rhythm, { server, followers, isStrict: rate === 0, now, emit: io.emit, signals });
    try {
      return await running.done;
    } finally {
      running = undefined;
      goOn();
    }
  }

  /** Resolves when the late processes take part in a move. @throws Failure where the clock cannot be moved */
  async function movable(): Promise<void> {
    mustBeMovable();
    await io.late;
    mustBeMovable();
  }

  return {
    state: server.state,
    isHeld: () => running !== undefined || isPaused || held !== undefined || rate === 0,
    read: () => ({
      at: now(),
      rate: server.state().rate,
      isPaused,
      ...(running === undefined ? {} : { warp: { to: running.to } }),
    }),
    async begin() {
      const rhythm = rhythmOf(io.plan());
      const first = (rhythm.genesisTime + Math.max(rhythm.l1BlockTime, ...rhythm.l2BlockTimes)) * 1000;
      if (rate !== 0) return;
      if (now() < first) await move(first, rhythm);
      for (let left = FIRST_SLOTS; left > 0 && followers.lacksFirstBlock(); left--)
        await move(nextInstant(rhythm, now()), rhythm);
    },
    async warp(to, gone) {
      const { signal } = waiting;
      await movable();
      const from = now();
      if (to <= from)
        throw new Failure(
          'warp',
          `a warp goes forward only: the network's clock is at ${isoInstant(from)}, ` +
            `${Math.ceil((from - to) / 1000)} s past ${isoInstant(to)}`,
        );
      return move(to, rhythmOf(io.plan()), gone === undefined ? signal : AbortSignal.any([signal, gone]));
    },
    async step() {
      await movable();
      const rhythm = rhythmOf(io.plan());
      return move(nextInstant(rhythm, now()), rhythm);
    },
    async settle() {
      await movable();
      if (followers.hasL1()) await move(now(), rhythmOf(io.plan()));
    },
    end() {
      running?.end();
      waiting.abort();
      waiting = new AbortController();
    },
    pause() {
      mustBeMovable();
      isPaused = true;
      setRate(0);
    },
    resume() {
      mustBeMovable();
      if (rate === 0) throw new Failure('warp', 'the clock of this network is stepped: only `devnet warp` moves it');
      isPaused = false;
      goOn();
    },
    advance,
    jump(to, next) {
      mustBeMovable();
      set({ at: to, wall: Date.now(), rate: next });
    },
    async hold(purpose, settled) {
      await movable();
      held = purpose;
      // A pause that ends soon is not kept for a later start: writing it takes longer than a return without a restart.
      const stand = (at: number) => server.push({ at, wall: Date.now(), rate: 0 }, { watched: false });
      stand(now());
      const release = () => {
        held = undefined;
        server.push({ at: now(), wall: Date.now(), rate: isPaused ? 0 : rate }, { watched: false });
        keepLater();
        if (!isPaused) payOwed();
      };
      try {
        if (settled && followers.hasL1()) await move(now(), rhythmOf(io.plan()));
      } catch (error) {
        release();
        throw error;
      }
      return { at: now(), set: (at) => set({ at, wall: Date.now(), rate: 0 }), move: stand, release };
    },
  };
}
