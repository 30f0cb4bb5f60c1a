import { messageAndHint } from '../failure.ts';
import { readText } from '../files/folder.ts';
import { type Clock, type ClockState, parseClockFile, timeAt, wallUntil } from '../time/clock.ts';
import { setSkew, skewMs } from '../time/skew.ts';
import type { Channel } from './channel.ts';
import { SupervisedCheckpoints } from './checkpoints.ts';
import { Connection } from './connection.ts';
import { isL1Message } from './l1-requests.ts';
import {
  type ClockPush,
  isCheckpointRequest,
  isClockPush,
  isFlushRequest,
  isOrderAnswer,
  wireOrder,
} from './messages.ts';
import { Orders } from './orders.ts';
import type { Progress } from './progress.ts';
import type { Activity, Quiesce } from './quiesce.ts';
import { SupervisedL1 } from './supervised-l1.ts';
import { SupervisedTraces } from './supervised-traces.ts';
import { isTraceSwitch } from './trace-marks.ts';

/**
 * Opens the channel of a process to its supervisor. The file holds the clock's state at the start, and the path of the
 * supervisor's socket. Without the socket only the clock goes on. `task`: the name of this process in reports.
 */
export function supervisedChannel(file: string, task: string): Channel {
  const fileNow = () => parseClockFile(readText(file) ?? '');
  const initial = fileNow();
  const clock = new SupervisedClock(initial ?? { at: Date.now(), wall: Date.now(), rate: 1 });
  const opened = Promise.withResolvers<void>();
  const connection = new Connection({
    path: () => fileNow()?.socket,
    connected() {
      quiesce.connected();
      connection.send({ task });
    },
    receive(message) {
      if (isOrderAnswer(message)) orders.receive(message);
      else if (isFlushRequest(message)) void quiesce.flush(message.flush);
      else if (isCheckpointRequest(message)) void checkpoints.receive(message);
      else if (isL1Message(message)) l1.receive(message);
      else if (isTraceSwitch(message)) traces.receive(message);
      else if (isClockPush(message)) {
        clock.receive(message);
        quiesce.look();
        opened.resolve();
      }
    },
    absent: () => opened.resolve(),
    lost() {
      opened.resolve();
      checkpoints.lose();
      orders.lose();
      traces.lose();
    },
  });
  const quiesce = new SupervisedQuiesce(connection, () => clock.state);
  const checkpoints = new SupervisedCheckpoints(connection);
  const l1 = new SupervisedL1(connection);
  const orders = new Orders(connection);
  const traces = new SupervisedTraces(connection);
  const hasSupervisor = initial?.socket !== undefined;
  if (hasSupervisor) void connection.open();
  else opened.resolve();
  return {
    opened: opened.promise,
    traces,
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    wallUntil: (time) => clock.wallUntil(time),
    onMoved: (listener) => clock.onMoved(listener),
    activity: () => quiesce.activity(),
    report: (progress) => quiesce.report(progress),
    onFlush: (flush) => quiesce.onFlush(flush),
    onCheckpoints: (next) => checkpoints.onCheckpoints(next),
    onL1: (answer) => l1.onL1(answer),
    tellPoolFault: (match) => l1.tellPoolFault(match),
    ...(hasSupervisor && {
      move: (to: number) => orders.send({ to }),
      checkpoint: (order) => orders.send({ point: wireOrder(order) }),
    }),
    close() {
      clock.close();
      connection.close();
    },
  };
}

/** The clock service: the clock that the supervisor moves. It goes on from its last state while that is away. */
export class SupervisedClock implements Omit<Clock, 'move'> {
  #state: ClockPush;
  readonly #listeners = new Set<() => void>();

  constructor(state: ClockState) {
    this.#state = { ...state, step: 0, watched: false };
  }

  /** The newest announcement. */
  get state(): ClockPush {
    return this.#state;
  }

  /** Follows an announcement. */
  receive(push: ClockPush): void {
    this.#state = push;
    setSkew(push.skew ?? 0);
    for (const listener of [...this.#listeners]) listener();
  }

  now(): number {
    return timeAt(this.#state, Date.now()) + skewMs();
  }

  elapsed(): number {
    return performance.now();
  }

  wallUntil(time: number): number {
    return wallUntil(this.#state, time - skewMs(), Date.now());
  }

  onMoved(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
  }
}

/** The quiesce service: reports when no part of the program is busy, and flushes its memory when asked. */
export class SupervisedQuiesce implements Quiesce {
  readonly #connection: Connection;
  /** Returns the newest announcement of the clock. */
  readonly #push: () => ClockPush;
  #busyParts = 0;
  #isDue = false;
  #lastReport = '';
  #progress: (() => Progress) | undefined;
  #flush = () => Promise.resolve();

  constructor(connection: Connection, push: () => ClockPush) {
    this.#connection = connection;
    this.#push = push;
  }

  activity(): Activity {
    let isBusy = false;
    const set = (next: boolean) => {
      if (isBusy === next) return;
      isBusy = next;
      this.#busyParts += next ? 1 : -1;
      if (this.#busyParts === 0) this.look();
    };
    return { busy: () => set(true), idle: () => set(false) };
  }

  report(progress: () => Progress): void {
    this.#progress = progress;
    this.look();
  }

  onFlush(flush: () => Promise<void>): void {
    this.#flush = flush;
  }

  /** Forgets what a former supervisor knows. */
  connected(): void {
    this.#lastReport = '';
  }

  /** Reports once the tasks of this turn are over, if none of them made a part busy again. */
  look(): void {
    if (this.#isDue || !this.#push().watched || this.#progress === undefined) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#busyParts > 0 || this.#progress === undefined || !this.#connection.isConnected) return;
      const report = { step: this.#push().step, progress: this.#progress() };
      const text = JSON.stringify(report);
      if (text !== this.#lastReport) this.#connection.send(report);
      this.#lastReport = text;
    });
  }

  /** Writes the state of memory to disk, and says when that is done. */
  async flush(id: number): Promise<void> {
    this.#connection.send(
      await this.#flush().then(
        () => ({ flushed: id }),
        (error: unknown) => ({ flushed: id, error: messageAndHint(error) }),
      ),
    );
  }
}
