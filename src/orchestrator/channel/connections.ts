import {
  MAX_MESSAGE_BYTES,
  type ProcessMessage,
  processMessage,
  type SupervisorMessage,
} from '../../system/channel/messages.ts';
import { readMessages, type Socket } from '../../system/net/socket.ts';

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
