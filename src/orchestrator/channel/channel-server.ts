import { type ClockPush, type IdleReport, type OrderAnswer, orderOf } from '../../system/channel/messages.ts';
import { messageOf } from '../../system/failure.ts';
import { remove } from '../../system/files/folder.ts';
import type { Server } from '../../system/net/socket.ts';
import type { ClockState } from '../../system/time/clock.ts';
import { stillStarting } from '../control/refusals.ts';
import { serveSocket } from '../state/sockets.ts';
import { CheckpointService, Requests } from './checkpoint-service.ts';
import { Connections, type NamedMessage } from './connections.ts';
import { L1Service } from './l1-service.ts';
import { TraceService } from './trace-service.ts';

/** The supervisor's end of the channel to its processes, with five services. */
export interface ChannelServices {
  readonly clock: ClockService;
  readonly quiesce: QuiesceService;
  readonly checkpoints: CheckpointService;
  readonly l1: L1Service;
  readonly traces: TraceService;
}

export interface ChannelServer extends ChannelServices {
  close(): Promise<void>;
}

/** Serves the channel of a network at a socket. The devnet's lock is held, so an old socket file is stale. */
export async function serveChannel(path: string, initial: ClockState): Promise<ChannelServer> {
  const connections: Connections = new Connections({
    connected(task) {
      // A program goes on at its first announcement of the clock, and then knows what holds for it.
      l1.connected(task);
      clock.announceTo(task);
      quiesce.connected(task);
      traces.connected(task);
    },
    receive: (task, message, answer) => receive({ clock, quiesce, checkpoints, l1, traces }, task, message, answer),
    lost(task) {
      checkpoints.lose(task);
      l1.lose(task);
      quiesce.lose(task);
    },
  });
  const clock = new ClockService(connections, initial);
  const quiesce = new QuiesceService(connections);
  const checkpoints = new CheckpointService(connections);
  const l1 = new L1Service(connections);
  const traces = new TraceService(connections);
  const server: Server = await serveSocket(path, (socket) => connections.accept(socket));
  return {
    clock,
    quiesce,
    checkpoints,
    l1,
    traces,
    async close() {
      connections.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      remove(path);
    },
  };
}

/** Hands a message of a process to its service. */
function receive(
  { clock, quiesce, checkpoints, l1, traces }: ChannelServices,
  task: string | undefined,
  message: NamedMessage,
  answer: (message: OrderAnswer) => void,
): void {
  if ('mark' in message) traces.receive(task, message);
  else if ('point' in message) void answerOrder(message.id, checkpoints.order(orderOf(message.point)), answer);
  else if ('id' in message) void answerOrder(message.id, clock.move(message.to), answer);
  else if ('flushed' in message) quiesce.flushed(task, message.flushed, message.error);
  else if ('stepped' in message) checkpoints.stepped(task, message.stepped, message.error);
  else if ('fault' in message) l1.tellPoolFault(message);
  else if ('reply' in message)
    l1.receive(task, message.reply, 'error' in message ? new Error(message.error) : message.result);
  else if (task !== undefined) quiesce.receive(task, message);
}

async function answerOrder(id: number, result: Promise<number>, answer: (message: OrderAnswer) => void): Promise<void> {
  answer(
    await result.then(
      (at) => ({ id, at }),
      (error: unknown) => ({ id, error: messageOf(error) }),
    ),
  );
}

export interface PushOptions {
  /** Whether the processes report when they are idle. */
  readonly watched: boolean;
  /** Repeats the number of the last step. */
  readonly isSameStep?: boolean;
  readonly to?: (task: string) => boolean;
}

/** The clock service of a network's channel: announces each state of the clock to the processes. */
export class ClockService {
  readonly #connections: Connections;
  #current: ClockPush;
  #changed: () => void = () => undefined;
  /** Milliseconds by which the clocks of single tasks are ahead. */
  readonly #skews = new Map<string, number>();
  #move: (to: number) => Promise<number> = async () => {
    throw stillStarting();
  };

  constructor(connections: Connections, initial: ClockState) {
    this.#connections = connections;
    this.#current = { ...initial, step: 1, watched: false };
  }

  /** The newest state. */
  state(): ClockState {
    const { at, wall, rate } = this.#current;
    return { at, wall, rate };
  }

  /** Announces a state to the connected processes that `to` accepts. Returns the number of the step. */
  push({ at, wall, rate }: ClockState, { watched, isSameStep = false, to = () => true }: PushOptions): number {
    this.#current = { at, wall, rate, step: this.#current.step + (isSameStep ? 0 : 1), watched };
    this.#changed();
    for (const task of this.#connections.tasks()) if (to(task)) this.announceTo(task);
    return this.#current.step;
  }

  /** Sets what is called at each new state, before it is announced. */
  onPush(changed: () => void): void {
    this.#changed = changed;
  }

  /** Announces the newest state to a task. */
  announceTo(task: string): void {
    const skew = this.#skews.get(task);
    this.#connections.send(task, skew === undefined ? this.#current : { ...this.#current, skew });
  }

  /** Milliseconds by which the clocks of single tasks are ahead. Other tasks are absent. */
  skews(): ReadonlyMap<string, number> {
    return this.#skews;
  }

  /** Sets the skew of a task, which it also has after a restart. 0 ends it. */
  skew(task: string, ms: number): void {
    if (ms === 0) this.#skews.delete(task);
    else this.#skews.set(task, ms);
    this.announceTo(task);
  }

  /** Sets what moves the clock when a process orders it. Rejects with the reason if it is refused. */
  serveMoves(move: (to: number) => Promise<number>): void {
    this.#move = move;
  }

  /** Moves the clock to a time (ms). Resolves with its time then. */
  move(to: number): Promise<number> {
    return this.#move(to);
  }
}

/** The quiesce service of a network's channel: whether each process is done with a step, and its memory on disk. */
export class QuiesceService {
  readonly #connections: Connections;
  readonly #reports = new Map<string, IdleReport | undefined>();
  readonly #listeners = new Set<() => void>();
  readonly #flushes = new Requests();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Last report by task; undefined before a task's first one. Only connected tasks are present. */
  reports(): ReadonlyMap<string, IdleReport | undefined> {
    return this.#reports;
  }

  /** Calls back after a report, a connection or its end. Returns the unsubscription. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Has every connected process write to its data folder what it holds only in memory.
   * @throws Error with the process that did not
   */
  flush(): Promise<void> {
    return this.#flushes.send(this.#connections.tasks(), 'write its state', (task, flush) => {
      this.#connections.send(task, { flush });
    });
  }

  connected(task: string): void {
    this.#reports.set(task, undefined);
    this.#changed();
  }

  receive(task: string, report: IdleReport): void {
    this.#reports.set(task, report);
    this.#changed();
  }

  flushed(task: string | undefined, id: number, error: string | undefined): void {
    this.#flushes.receive(task, id, error);
  }

  lose(task: string): void {
    this.#reports.delete(task);
    this.#flushes.lose(task);
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
