import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';

export interface Answer {
  /** HTTP status; 200 over WebSocket. */
  readonly status: number;
  readonly text: string;
}

/** One connection. A request is sent after the response to the one before it. */
export interface Connection {
  send(body: string, token: string): Promise<Answer>;
  close(): void;
}

export function overHttp(port: number): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return { send: (body, token) => post(agent, port, body, token), close: () => agent.destroy() };
}

function post(agent: Agent, port: number, body: string, token: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    };
    const call = request({ agent, host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** Requests of a socket before another replaces it and frees its state. */
const LIFETIME = 500;

/** `isAnswered` returns whether a body expects a response. */
export function overWebSocket(port: number, isAnswered: (body: string) => boolean): Connection {
  let socket: WebSocket | undefined;
  let sent = 0;
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  const open = async (): Promise<WebSocket> => {
    if (socket !== undefined && sent++ % LIFETIME !== 0) return socket;
    socket?.close();
    const opened = new WebSocket(`ws://127.0.0.1:${port}`);
    opened.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      if (!text.startsWith('{"jsonrpc":"2.0","method":')) waiting?.resolve({ status: 200, text });
    });
    opened.on('close', () => opened === socket && waiting?.reject(new Error('the connection was closed')));
    await once(opened, 'open');
    socket = opened;
    return opened;
  };
  return {
    async send(body) {
      const opened = await open();
      const answer = new Promise<Answer>((resolve, reject) => {
        waiting = { resolve, reject };
      });
      opened.send(body);
      if (isAnswered(body)) return answer;
      waiting = undefined;
      return { status: 200, text: '' };
    },
    close() {
      waiting = undefined;
      socket?.terminate();
    },
  };
}
