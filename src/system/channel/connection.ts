import { connectUnix, readMessages, type Socket } from '../net/socket.ts';
import { backoff } from '../time/backoff.ts';
import { MAX_MESSAGE_BYTES, type ProcessMessage } from './messages.ts';

/** First and longest pause between attempts to connect, ms. */
const MIN_RECONNECT_MS = 50;
const MAX_RECONNECT_MS = 1000;

/** What a connection calls. */
interface ConnectionHandlers {
  /** Returns the path of the supervisor's socket; undefined while it is unknown. */
  path(): string | undefined;
  connected(): void;
  receive(message: unknown): void;
  /** Called when no supervisor accepts a connection. */
  absent(): void;
  /** Called at the end of a connection. */
  lost(): void;
}

/** Keeps a process connected to its supervisor, and connects again when that was restarted. */
export class Connection {
  readonly #handlers: ConnectionHandlers;
  #socket: Socket | undefined;
  #isClosed = false;

  constructor(handlers: ConnectionHandlers) {
    this.#handlers = handlers;
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  /** Connects until closed. */
  async open(): Promise<void> {
    const pauses = backoff(MIN_RECONNECT_MS, MAX_RECONNECT_MS);
    while (!this.#isClosed) {
      const path = this.#handlers.path();
      const socket = path === undefined ? undefined : await connectUnix(path);
      if (socket !== undefined) {
        pauses.succeeded();
        await this.#follow(socket);
      } else this.#handlers.absent();
      if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, pauses.next()).unref());
    }
  }

  /** Sends a message. Without effect while there is no connection. */
  send(message: ProcessMessage): void {
    this.#socket?.write(`${JSON.stringify(message)}\n`);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.destroy();
  }

  /** Follows the supervisor until the connection ends. */
  async #follow(socket: Socket): Promise<void> {
    socket.unref();
    socket.on('error', () => socket.destroy());
    if (this.#isClosed) return void socket.destroy();
    this.#socket = socket;
    this.#handlers.connected();
    readMessages<unknown>(
      socket,
      (message) => this.#handlers.receive(message),
      () => socket.destroy(),
      MAX_MESSAGE_BYTES,
    );
    await new Promise<void>((resolve) => socket.on('close', () => resolve()));
    this.#socket = undefined;
    this.#handlers.lost();
  }
}
