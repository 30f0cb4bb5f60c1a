import { remove } from '../../system/folder.ts';
import { listenUnix, readMessages, type Socket } from '../../system/socket.ts';
import type { Event } from './events.ts';
import type { Answer, Request } from './orders.ts';
import { TaskFailure } from './report.ts';

export interface ControlServer {
  /** Sends an event to everyone who asked for events. */
  tell(event: Event): void;
  /** Takes the socket away and lets the last answers go out. */
  close(): Promise<void>;
}

/** Listens on the control socket; whoever can open it may command (its folder is private). The lock is held, so an old socket is stale. */
export async function serveControl(
  path: string,
  handle: (request: Request) => Promise<unknown>,
): Promise<ControlServer> {
  remove(path);
  const listeners = new Map<Socket, number>();
  const open = new Set<Socket>();

  const server = await listenUnix(path, (socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      listeners.delete(socket);
    });
    readMessages(
      socket,
      (message) => {
        const request = message as Request;
        if (request.method === 'events') listeners.set(socket, request.id);
        else void answer(socket, request);
      },
      () => socket.destroy(),
    );
  });

  async function answer(socket: Socket, request: Request): Promise<void> {
    const reply = (body: Answer) => {
      if (socket.writable) socket.write(JSON.stringify(body) + '\n');
    };
    try {
      reply({ id: request.id, result: (await handle(request)) ?? null });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      reply({ id: request.id, error: message, ...(error instanceof TaskFailure ? { failure: error.report } : {}) });
    }
  }

  return {
    tell(event) {
      for (const [socket, id] of listeners) if (socket.writable) socket.write(JSON.stringify({ id, event }) + '\n');
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const ended = [...open].map((socket) => new Promise<void>((resolve) => socket.end(() => resolve())));
      await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, 200))]);
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
