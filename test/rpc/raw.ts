import { request } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Address to connect to; default: 127.0.0.1. */
  readonly address?: string;
}

/** Sends an HTTP request with any headers, also Host, which `fetch` sets itself. */
export function raw(
  port: number,
  { method = 'POST', path = '/', headers = {}, body = '', address = '127.0.0.1' }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: address,
        port,
        method,
        path,
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const { statusCode: status = 0, headers } = answer;
          resolve({ status, headers, body: Buffer.concat(parts).toString('utf8') });
        });
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** Returns the HTTP status of a WebSocket handshake; 101 if it opens. */
export function upgrade(
  port: number,
  headers: Readonly<Record<string, string>> = {},
  address = '127.0.0.1',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const all: Readonly<Record<string, string>> = {
      Host: `localhost:${port}`,
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(port, address, () => socket.write(`GET / HTTP/1.1\r\n${lines.join('')}\r\n`));
    socket.on('error', reject);
    socket.on('data', (data) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1]));
    });
  });
}
