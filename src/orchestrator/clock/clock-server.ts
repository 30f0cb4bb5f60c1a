import { messageOf } from '../../system/failure.ts';
import { remove } from '../../system/files/folder.ts';
import { readMessages, type Socket } from '../../system/net/socket.ts';
import type { CheckpointOrder, CheckpointStep } from '../../system/time/checkpoints.ts';
import type { ClockState } from '../../system/time/clock-state.ts';
import type { CheckpointRequest, ClockPush, KeepRequest, MoveAnswer } from '../../system/time/network-clock.ts';
import { stillStarting } from '../control/refusals.ts';
import { serveSocket } from '../state/sockets.ts';
import { keeping } from './keeping.ts';
import { type ClockReport, clockMessage } from './messages.ts';

/** The processes that follow the network's clock, and what they reported last. */
export interface ClockServer {
  /** The newest state. */
  state(): ClockState;
  /** Announces a state to the connected processes that `to` accepts. Returns the number of the step. */
  push(state: ClockState, options: PushOptions): number;
  /** Last report by task; undefined before a task's first one. Only connected tasks are present. */
  reports(): ReadonlyMap<string, ClockReport | undefined>;
  /** Calls back after a report, a connection or its end. Returns the unsubscription. */
  onChange(listener: () => void): () => void;
  /** Sets what moves the clock when a process asks for it. Rejects with the reason where it is refused. */
  serveMoves(move: (to: number) => Promise<number>): void;
  /** Sets what takes and restores checkpoints when a process asks for it. */
  serveCheckpoints(serve: (order: CheckpointOrder) => Promise<number>): void;
  /** Has some processes take a step for a checkpoint, all at once. @throws Error with the first that did not */
  stepTo(step: CheckpointStep, checkpoint: number, tasks: readonly string[]): Promise<void>;
  /**
   * Has every connected process write to its data folder what it holds only in memory.
   * @throws Error with the process that did not
   */
  keep(): Promise<void>;
  close(): Promise<void>;
}

export interface PushOptions {
  /** Whether the processes report when they are idle. */
  readonly watched: boolean;
  /** Repeats the number of the last step. */
  readonly isSameStep?: boolean;
  readonly to?: (task: string) => boolean;
}

const MAX_CONNECTIONS = 256;
/** Bytes of one message. */
const MAX_MESSAGE = 4096;
/** Bytes that a process may leave unread before its connection is closed. */
const MAX_UNREAD = 256 * 1024;

/** Serves the socket of a network's clock. The devnet's lock is held, so an old socket file is stale. */
export async function serveClock(path: string, initial: ClockState): Promise<ClockServer> {
  const tasks = new Map<string, Socket>();
  const reports = new Map<string, ClockReport | undefined>();
  const listeners = new Set<() => void>();
  const open = new Set<Socket>();
  const kept = keeping('write its state');
  const stepped = keeping('go to the moment of the snapshot');
  let current: ClockPush = { ...initial, step: 1, watched: false };

  const early = async () => {
    throw stillStarting();
  };
  let mover: (to: number) => Promise<number> = early;
  let orderCheckpoint: (order: CheckpointOrder) => Promise<number> = early;

  async function answer(socket: Socket, id: number, done: Promise<number>): Promise<void> {
    const answered = await done.then(
      (at): MoveAnswer => ({ id, at }),
      (error: unknown): MoveAnswer => ({ id, error: messageOf(error) }),
    );
    send(socket, answered);
  }

  const changed = () => {
    for (const listener of [...listeners]) listener();
  };

  const server = await serveSocket(path, (socket) => {
    if (open.size >= MAX_CONNECTIONS) return void socket.destroy();
    open.add(socket);
    let task: string | undefined;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      if (task === undefined || tasks.get(task) !== socket) return;
      tasks.delete(task);
      reports.delete(task);
      kept.lost(task);
      stepped.lost(task);
      changed();
    });
    const receive = (value: unknown) => {
      const message = clockMessage(value);
      if (message === undefined) return void socket.destroy();
      if ('point' in message) return void answer(socket, message.id, orderCheckpoint(message.point));
      if ('id' in message) return void answer(socket, message.id, mover(message.to));
      if ('kept' in message) return kept.answered(task, message.kept, message.error);
      if ('stepped' in message) return stepped.answered(task, message.stepped, message.error);
      if ('task' in message) {
        task = message.task;
        tasks.get(task)?.destroy();
        tasks.set(task, socket);
        reports.set(task, undefined);
        send(socket, current);
      } else if (task !== undefined && tasks.get(task) === socket) reports.set(task, message);
      changed();
    };
    readMessages<unknown>(socket, receive, () => socket.destroy(), MAX_MESSAGE);
  });

  return {
    state: () => ({ at: current.at, wall: current.wall, rate: current.rate }),
    push({ at, wall, rate }, { watched, isSameStep = false, to = () => true }) {
      current = { at, wall, rate, step: current.step + (isSameStep ? 0 : 1), watched };
      for (const [task, socket] of tasks) if (to(task)) send(socket, current);
      return current.step;
    },
    reports: () => reports,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    serveMoves(move) {
      mover = move;
    },
    serveCheckpoints(serve) {
      orderCheckpoint = serve;
    },
    stepTo: (name, to, all) =>
      stepped.ask(all, (task, step) => {
        const socket = tasks.get(task);
        if (socket === undefined) stepped.lost(task);
        else send(socket, { step, do: name, to });
      }),
    keep: () => kept.ask([...tasks.keys()], (task, keep) => send(tasks.get(task), { keep })),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      remove(path);
    },
  };
}

function send(socket: Socket | undefined, push: ClockPush | MoveAnswer | KeepRequest | CheckpointRequest): void {
  if (socket === undefined) return;
  if (socket.writableLength > MAX_UNREAD) socket.destroy();
  else if (socket.writable) socket.write(`${JSON.stringify(push)}\n`);
}
