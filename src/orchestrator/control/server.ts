import type { MarkListener } from '../../system/channel/trace-marks.ts';
import { messageAndHint } from '../../system/failure.ts';
import { readMessages, type Socket } from '../../system/net/socket.ts';
import { TaskFailure } from '../processes/report.ts';
import type { Event } from '../state/events.ts';
import { serveSocket } from '../state/sockets.ts';
import { errorFacts } from './refusals.ts';
import type { AnsweredRequest, EventsRequest, Handlers, ParsedRequest, Request } from './requests.ts';
import type { Answer } from './supervisor-protocol.ts';

/** Bytes of one request: the largest holds the plan of a network. */
const MAX_REQUEST = 8 * 1024 * 1024;
/** Bytes that a connection may leave unread before it is closed. */
const MAX_UNREAD = 1024 * 1024;
const MAX_CONNECTIONS = 32;
/** Requests of one connection that are not answered yet. */
const MAX_PENDING = 16;

/** Wall time (ms) in which connections may take the last answers. */
const CLOSE_TIMEOUT_MS = 200;

interface Connection {
  /** Requests that are not answered yet. */
  pending: number;
  /** The request for events, if it made one. */
  events: EventsRequest | undefined;
  /** Aborted at the end of the connection. */
  readonly gone: AbortController;
}

/** What connections that ask for events get. */
export interface EventSources {
  /** Returns the events that describe the present. */
  present(): readonly Event[];
  /** Calls back for each mark of a process, and returns the end. */
  marks(listener: MarkListener): () => void;
}

/** The open connections of the control socket. */
class ControlServer {
  readonly #handlers: Handlers;
  readonly #sources: EventSources;
  readonly #connections = new Map<Socket, Connection>();

  constructor(handlers: Handlers, sources: EventSources) {
    this.#handlers = handlers;
    this.#sources = sources;
  }

  /** Sends an event to every connection that asked for events of its kind. */
  tell(event: Event): void {
    for (const [socket, { events }] of this.#connections) {
      if (events === undefined) continue;
      const { id, method } = events;
      if (event.event === 'end' || method === (event.event === 'network' ? 'watch' : 'events'))
        send(socket, { id, event });
    }
  }

  accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#connections.get(socket)?.gone.abort();
      this.#connections.delete(socket);
    });
    if (this.#connections.size >= MAX_CONNECTIONS) {
      socket.destroy();
      return;
    }
    this.#connections.set(socket, { pending: 0, events: undefined, gone: new AbortController() });
    const malformed = () => {
      const error = `malformed request: expected a JSON document a line, at most ${MAX_REQUEST} bytes`;
      send(socket, { id: 0, error, code: 'request' });
      socket.destroySoon();
    };
    readMessages<unknown>(socket, (message) => void this.#receive(socket, message), malformed, MAX_REQUEST);
  }

  /** Ends all connections after the last answers are sent. */
  async close(): Promise<void> {
    const open = [...this.#connections.keys()];
    const sent = open.map((socket) => new Promise<void>((resolve) => socket.end(() => resolve())));
    await Promise.race([Promise.all(sent), new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))]);
    for (const socket of open) socket.destroy();
  }

  async #receive(socket: Socket, message: unknown): Promise<void> {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    if (connection.pending >= MAX_PENDING) {
      socket.destroy();
      return;
    }
    connection.pending++;
    try {
      const parsed = await parse(message);
      if (!parsed.ok) send(socket, { id: parsed.id, error: parsed.problem, code: 'request' });
      else if (isEventsRequest(parsed.request)) this.#listen(socket, connection, parsed.request);
      else send(socket, await this.#answer(parsed.request, connection.gone.signal));
    } finally {
      connection.pending--;
    }
  }

  #listen(socket: Socket, connection: Connection, request: EventsRequest): void {
    const { id, method } = request;
    connection.events = request;
    if (method === 'watch') for (const event of this.#sources.present()) send(socket, { id, event });
    if (method !== 'marks') return;
    const leave = this.#sources.marks((task, mark) => send(socket, { id, event: { event: 'mark', task, mark } }));
    connection.gone.signal.addEventListener('abort', leave, { once: true });
  }

  async #answer(request: AnsweredRequest, ending: AbortSignal): Promise<Answer> {
    try {
      const { handle } = await import('./requests.ts');
      return { id: request.id, result: (await handle(this.#handlers, request.method, request, ending)) ?? null };
    } catch (error) {
      return {
        id: request.id,
        error: messageAndHint(error),
        ...errorFacts(error),
        ...(error instanceof TaskFailure ? { failure: error.report } : {}),
      };
    }
  }
}

/** A control socket that is served. */
export interface ControlSocket extends Pick<ControlServer, 'tell'> {
  /** Removes the socket after the last answers are sent. */
  close(): Promise<void>;
}

function isEventsRequest(request: Request): request is EventsRequest {
  return request.method === 'events' || request.method === 'watch' || request.method === 'marks';
}

/**
 * Serves the control socket.
 * Its folder is private, but any program of this user can send any bytes.
 * Nothing happens before a request is parsed. The lock is held, so an old socket file is stale.
 */
export async function serveControl(path: string, handlers: Handlers, sources: EventSources): Promise<ControlSocket> {
  const control = new ControlServer(handlers, sources);
  const server = await serveSocket(path, (socket) => control.accept(socket));
  return {
    tell: (event) => control.tell(event),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await control.close();
      await closed;
    },
  };
}

/** Sends an answer. Closes a connection that does not read: what it leaves unread would fill this process's memory. */
function send(socket: Socket, body: Answer): void {
  if (!socket.writable) return;
  if (socket.writableLength > MAX_UNREAD) socket.destroy();
  else socket.write(JSON.stringify(body) + '\n');
}

/** The schema is loaded with the first request: a start does not wait for it. */
async function parse(message: unknown): Promise<ParsedRequest> {
  const { parseRequest } = await import('./requests.ts');
  return parseRequest(message);
}
