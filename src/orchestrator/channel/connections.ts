import {
  MAX_MESSAGE_BYTES,
  type ProcessMessage,
  processMessage,
  type SupervisorMessage,
} from '../../system/channel/messages.ts';
import { readMessages, type Socket } from '../../system/net/socket.ts';
import { allSettledOrThrow } from '../../system/time/all-settled.ts';

const MAX_CONNECTIONS = 256;
/** Bytes that a process may leave unread before its connection is closed. */
const MAX_UNREAD = 256 * 1024;

/** A message of a process, beside the first one, which names it. */
export type NamedMessage = Exclude<ProcessMessage, { task: string }>;

/** What connections call. */
export interface ConnectionHandlers {
  /** Called when a task has named itself. */
  connected(task: string): void;
  /** Called for each other message. `task`: undefined if the connection has none. `answer`: sends to it alone. */
  receive(task: string | undefined, message: NamedMessage, answer: (message: SupervisorMessage) => void): void;
  /** Called when the connection of a task has ended and no newer one has its name. */
  lost(task: string): void;
}

/** The connections of a supervisor's processes. Each has the name of its task after its first message. */
export class Connections {
  readonly #handlers: ConnectionHandlers;
  readonly #open = new Set<Socket>();
  readonly #tasks = new Map<string, Socket>();

  constructor(handlers: ConnectionHandlers) {
    this.#handlers = handlers;
  }

  /** The tasks that are connected. */
  tasks(): readonly string[] {
    return [...this.#tasks.keys()];
  }

  /** Sends a message to a task. Returns false if it is not connected. */
  send(task: string, message: SupervisorMessage): boolean {
    const socket = this.#tasks.get(task);
    if (socket !== undefined) write(socket, message);
    return socket !== undefined;
  }

  accept(socket: Socket): void {
    if (this.#open.size >= MAX_CONNECTIONS) return void socket.destroy();
    this.#open.add(socket);
    let task: string | undefined;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#open.delete(socket);
      if (task === undefined || this.#tasks.get(task) !== socket) return;
      this.#tasks.delete(task);
      this.#handlers.lost(task);
    });
    const receive = (value: unknown) => {
      const message = processMessage(value);
      if (message === undefined) return void socket.destroy();
      if (!('task' in message)) {
        const current = task !== undefined && this.#tasks.get(task) === socket ? task : undefined;
        return this.#handlers.receive(current, message, (answer) => write(socket, answer));
      }
      task = message.task;
      this.#tasks.get(task)?.destroy();
      this.#tasks.set(task, socket);
      this.#handlers.connected(task);
    };
    readMessages<unknown>(socket, receive, () => socket.destroy(), MAX_MESSAGE_BYTES);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

function write(socket: Socket, message: SupervisorMessage): void {
  if (socket.writableLength > MAX_UNREAD) socket.destroy();
  else if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Wall time (ms) in which a process must have answered. */
const PROCESS_TIMEOUT_MS = 20_000;

interface OpenRequest {
  readonly id: number;
  settle(error: string | undefined): void;
}

/** Requests of one kind to processes, all at once, and their answers. */
export class Requests {
  readonly #open = new Map<string, OpenRequest>();
  #last = 0;

  /**
   * Asks tasks, and resolves when each has answered. `work`: what a process is asked to do.
   * @throws Error with the first that failed, ended or was late
   */
  async send(tasks: readonly string[], work: string, send: (task: string, id: number) => void): Promise<void> {
    const id = ++this.#last;
    await allSettledOrThrow(tasks.map((task) => this.#sendTo(task, id, work, send)));
  }

  receive(task: string | undefined, id: number, error: string | undefined): void {
    const request = this.#open.get(task ?? '');
    if (request?.id === id) request.settle(error);
  }

  /** Says that the connection of a task has ended. */
  lose(task: string): void {
    this.#open.get(task)?.settle('it ended');
  }

  #sendTo(task: string, id: number, work: string, send: (task: string, id: number) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (error: string | undefined) =>
      error === undefined ? resolve() : reject(new Error(`${task} did not ${work}: ${error}`));
    const timer = setTimeout(() => settle(`no answer within ${PROCESS_TIMEOUT_MS / 1000} s`), PROCESS_TIMEOUT_MS);
    this.#open.set(task, { id, settle });
    send(task, id);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#open.delete(task);
    });
  }
}
