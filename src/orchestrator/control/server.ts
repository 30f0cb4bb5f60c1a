import { messageAndHint } from '../../system/failure.ts';
import { readMessages, type Socket } from '../../system/net/socket.ts';
import { TaskFailure } from '../processes/report.ts';
import type { Event } from '../state/events.ts';
import { serveSocket } from '../state/sockets.ts';
import { answerCode } from './refusals.ts';
import type { AnsweredRequest, EventsRequest, Handlers, ParsedRequest } from './requests.ts';
import type { Answer } from './supervisor-protocol.ts';

export interface ControlServer {
  /** Sends an event to every connection that asked for events of its kind. */
  tell(event: Event): void;
  /** Removes the socket after the last answers are sent. */
  close(): Promise<void>;
}

/** Bytes of one request: the largest holds the plan of a network. */
const MAX_REQUEST = 8 * 1024 * 1024;
/** Bytes that a connection may leave unread before it is closed. */
const MAX_UNREAD = 1024 * 1024;
const MAX_CONNECTIONS = 32;
/** Requests of one connection that are not answered yet. */
const MAX_PENDING = 16;

/**
 * Serves the control socket. `present` returns the events that describe the present.
 * Its folder is private, but any program of this user can send any bytes.
 * Nothing happens before a request is parsed. The lock is held, so an old socket file is stale.
 */
export async function serveControl(
  path: string,
  handlers: Handlers,
  present: () => readonly Event[],
): Promise<ControlServer> {
  const listeners = new Map<Socket, EventsRequest>();
  const pending = new Map<Socket, number>();
  const connections = new Map<Socket, AbortController>();

  const server = await serveSocket(path, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      pending.delete(socket);
      listeners.delete(socket);
      connections.get(socket)?.abort();
      connections.delete(socket);
    });
    if (pending.size >= MAX_CONNECTIONS) {
      socket.destroy();
      return;
    }
    pending.set(socket, 0);
    connections.set(socket, new AbortController());
    const malformed = () => {
      send(socket, {
        id: 0,
        error: `malformed request: expected a JSON document a line, at most ${MAX_REQUEST} bytes`,
      });
      socket.destroySoon();
    };
    readMessages<unknown>(socket, (message) => void receive(socket, message), malformed, MAX_REQUEST);
  });

  async function receive(socket: Socket, message: unknown): Promise<void> {
    const waiting = pending.get(socket);
    if (waiting === undefined) return;
    if (waiting >= MAX_PENDING) {
      socket.destroy();
      return;
    }
    pending.set(socket, waiting + 1);
    try {
      const parsed = await parse(message);
      if (!parsed.ok) send(socket, { id: parsed.id, error: parsed.problem });
      else if (parsed.request.method === 'events' || parsed.request.method === 'watch') listen(socket, parsed.request);
      else send(socket, await answer(parsed.request, connections.get(socket)?.signal ?? AbortSignal.abort()));
    } finally {
      const now = pending.get(socket);
      if (now !== undefined) pending.set(socket, now - 1);
    }
  }

  function listen(socket: Socket, request: EventsRequest): void {
    listeners.set(socket, request);
    if (request.method === 'watch') for (const event of present()) send(socket, { id: request.id, event });
  }

  async function answer(request: AnsweredRequest, gone: AbortSignal): Promise<Answer> {
    try {
      const { handle } = await import('./requests.ts');
      return { id: request.id, result: (await handle(handlers, request.method, request, gone)) ?? null };
    } catch (error) {
      const code = answerCode(error);
      return {
        id: request.id,
        error: messageAndHint(error),
        ...(code === undefined ? {} : { code }),
        ...(error instanceof TaskFailure ? { failure: error.report } : {}),
      };
    }
  }

  return {
    tell(event) {
      for (const [socket, { id, method }] of listeners)
        if (event.event === 'end' || (event.event === 'network') === (method === 'watch')) send(socket, { id, event });
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const open = [...pending.keys()];
      const ended = open.map((socket) => new Promise<void>((resolve) => socket.end(() => resolve())));
      await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, 200))]);
      for (const socket of open) socket.destroy();
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
