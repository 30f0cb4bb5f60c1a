import { messageAndHint } from '../failure.ts';
import { readText } from '../files/folder.ts';
import { connectUnix, readMessages, type Socket } from '../net/socket.ts';
import { backoff } from './backoff.ts';
import { CHECKPOINT_STEPS, type CheckpointOrder, type CheckpointStep, type Checkpoints } from './checkpoints.ts';
import type { Activity, Clock } from './clock.ts';
import { type ClockState, isClockState, parseClockFile, timeAt, wallUntil } from './clock-state.ts';
import type { Progress } from './progress.ts';

/** A state of the clock as its owner announces it. */
export interface ClockPush extends ClockState {
  /** Number of the announcement. */
  readonly step: number;
  /** Whether the owner waits for reports. */
  readonly watched: boolean;
}

/** A message to the owner of the clock. The first one names the process; each other one says that it is idle. */
export type ClockMessage =
  | { readonly task: string }
  | {
      /** The newest announcement that the process has followed. */
      readonly step: number;
      readonly progress: Progress;
    }
  /** Asks for a move to a time (ms). Its answer has the same id. */
  | { readonly id: number; readonly to: number }
  /** Answers a request to keep: the state of memory is in the data folder, or why it is not. */
  | { readonly kept: number; readonly error?: string }
  /** Answers a step for a checkpoint: it is done, or why it is not. */
  | { readonly stepped: number; readonly error?: string }
  /** Asks the owner to take a checkpoint of the whole network, or to restore one. */
  | { readonly id: number; readonly point: CheckpointOrder };

/** Asks a process to write the state that it holds only in memory to its data folder. */
export interface KeepRequest {
  readonly keep: number;
}

/** Asks a process for a step for a checkpoint. `step` numbers the request, `to` is the checkpoint. */
export interface CheckpointRequest {
  readonly step: number;
  readonly do: CheckpointStep;
  readonly to: number;
}

/** The answer to a request: the time after a move, the result of an order, or why it was refused. */
export type MoveAnswer = { readonly id: number; readonly at: number } | { readonly id: number; readonly error: string };

/** First and longest pause between attempts to connect, ms. */
const MIN_RECONNECT_MS = 50;
const MAX_RECONNECT_MS = 1000;

/**
 * The network's clock. Its file holds the state at the start, and the socket that announces each later one.
 * Without the socket it goes on from the last known state. `task`: the name of this process in reports.
 */
export function networkClock(file: string, task: string): Clock {
  const listeners = new Set<() => void>();
  const started = parseClockFile(readText(file) ?? '');
  let state: ClockPush = { ...(started ?? { at: Date.now(), wall: Date.now(), rate: 1 }), step: 0, watched: false };
  let socket: Socket | undefined;
  let isClosed = false;
  let busy = 0;
  let isDue = false;
  let lastReport = '';
  let progress: (() => Progress) | undefined;
  let lastOrder = 0;
  const moves = new Map<number, (answer: MoveAnswer) => void>();
  let keeping = () => Promise.resolve();
  let checkpoints: Checkpoints | undefined;

  function receive(message: unknown): void {
    if (isMoveAnswer(message)) return void moves.get(message.id)?.(message);
    if (isKeepRequest(message)) return void keep(message.keep);
    if (isCheckpointRequest(message)) return void stepTo(message);
    if (!isClockPush(message)) return;
    state = message;
    for (const listener of [...listeners]) listener();
    settled();
  }

  /** Reports once the tasks of this turn are over, if none of them made a part busy again. */
  function settled(): void {
    if (isDue || !state.watched || progress === undefined) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      if (busy > 0 || progress === undefined || socket === undefined) return;
      const text = JSON.stringify({ step: state.step, progress: progress() } satisfies ClockMessage);
      if (text !== lastReport) socket.write(`${text}\n`);
      lastReport = text;
    });
  }

  async function connect(): Promise<void> {
    const pauses = backoff(MIN_RECONNECT_MS, MAX_RECONNECT_MS);
    while (!isClosed) {
      const path = parseClockFile(readText(file) ?? '')?.socket;
      const connected = path === undefined ? undefined : await connectUnix(path);
      if (connected !== undefined) {
        pauses.succeeded();
        await follow(connected);
      }
      if (!isClosed) await new Promise((resolve) => setTimeout(resolve, pauses.next()).unref());
    }
  }

  /** Follows the owner until the connection ends. */
  async function follow(connected: Socket): Promise<void> {
    connected.unref();
    connected.on('error', () => connected.destroy());
    if (isClosed) return void connected.destroy();
    socket = connected;
    lastReport = '';
    connected.write(`${JSON.stringify({ task } satisfies ClockMessage)}\n`);
    readMessages<unknown>(connected, receive, () => connected.destroy(), MAX_MESSAGE);
    await new Promise<void>((resolve) => connected.on('close', () => resolve()));
    socket = undefined;
    // Without its owner the program goes on.
    void checkpoints?.resume(0).catch(() => {});
    for (const [id, answer] of moves) answer({ id, error: 'the supervisor ended before the clock was moved' });
  }

  /** Writes the state of memory to disk, and says when that is done. */
  async function keep(kept: number): Promise<void> {
    const answer: ClockMessage = await keeping().then(
      () => ({ kept }),
      (error: unknown) => ({ kept, error: messageAndHint(error) }),
    );
    socket?.write(`${JSON.stringify(answer)}\n`);
  }

  /** Takes a step for a checkpoint, and says when that is done. */
  async function stepTo({ step, do: name, to }: CheckpointRequest): Promise<void> {
    const done =
      checkpoints === undefined
        ? Promise.reject(new Error('it keeps no checkpoints'))
        : checkpoints[CHECKPOINT_STEPS[name]](to);
    const answer: ClockMessage = await done.then(
      () => ({ stepped: step }),
      (error: unknown) => ({ stepped: step, error: messageAndHint(error) }),
    );
    socket?.write(`${JSON.stringify(answer)}\n`);
  }

  /** Asks the owner for a move, or for a checkpoint of the network. */
  async function order(what: { readonly to: number } | { readonly point: CheckpointOrder }): Promise<number> {
    if (socket === undefined) throw new Error('the supervisor of this network does not answer');
    const id = ++lastOrder;
    const answer = new Promise<MoveAnswer>((resolve) => moves.set(id, resolve));
    socket.write(`${JSON.stringify({ id, ...what } satisfies ClockMessage)}\n`);
    const outcome = await answer.finally(() => moves.delete(id));
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.at;
  }

  if (started?.socket !== undefined) void connect();

  return {
    now: () => timeAt(state, Date.now()),
    elapsed: () => performance.now(),
    wallUntil: (time) => wallUntil(state, time, Date.now()),
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    activity(): Activity {
      let isBusy = false;
      const set = (next: boolean) => {
        if (isBusy === next) return;
        isBusy = next;
        busy += next ? 1 : -1;
        if (busy === 0) settled();
      };
      return { busy: () => set(true), idle: () => set(false) };
    },
    report(view) {
      progress = view;
      settled();
    },
    ...(started?.socket === undefined
      ? {}
      : { move: (to: number) => order({ to }), checkpoint: (point: CheckpointOrder) => order({ point }) }),
    onKeep(next) {
      keeping = next;
    },
    onCheckpoints(next) {
      checkpoints = next;
    },
    close() {
      isClosed = true;
      listeners.clear();
      socket?.destroy();
    },
  };
}

/** Bytes of one announcement. */
const MAX_MESSAGE = 4096;

function isMoveAnswer(value: unknown): value is MoveAnswer {
  return typeof value === 'object' && value !== null && 'id' in value && ('at' in value || 'error' in value);
}

function isKeepRequest(value: unknown): value is KeepRequest {
  return typeof value === 'object' && value !== null && 'keep' in value && Number.isSafeInteger(value.keep);
}

function isCheckpointRequest(value: unknown): value is CheckpointRequest {
  if (typeof value !== 'object' || value === null || !('do' in value && 'to' in value && 'step' in value)) return false;
  return (
    Object.keys(CHECKPOINT_STEPS).some((step) => step === value.do) &&
    [value.to, value.step].every(Number.isSafeInteger)
  );
}

function isClockPush(value: unknown): value is ClockPush {
  return isClockState(value) && Number.isSafeInteger(value['step']) && typeof value['watched'] === 'boolean';
}
