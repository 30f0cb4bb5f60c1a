import type { Agent, request as sendRequest } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { timeLimit } from '../../system/time/time-limit.ts';
import { http, https } from '../http.ts';
import { jwtBearer } from '../jwt.ts';
import { type CallOptions, TransportError } from './client.ts';

export interface HttpClientOptions {
  readonly url: string;
  readonly jwtSecret?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Maximum bytes of an answer; default: no limit. */
  readonly maxAnswer?: number;
  /** For an https URL: trusted authority, certificate and key of this client, in PEM. */
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string };
}

/** An answer of any status. */
export interface HttpAnswer {
  readonly status: number;
  readonly date: string | undefined;
  readonly text: string;
}

/** Error codes of a connection that its server has closed. */
const CLOSED_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Says that the server closed a persistent connection without any byte of an answer. */
export class StaleConnection extends TransportError {}

/** POST requests to one URL over persistent connections. */
export class HttpExchange {
  readonly #options: HttpClientOptions;
  readonly #request: typeof sendRequest;
  readonly #agent: Agent;
  readonly #target: object;
  readonly #bearer: (() => string) | undefined;
  #isClosed = false;

  constructor(options: HttpClientOptions) {
    const { Agent, request } = options.url.startsWith('https:') ? https() : http();
    this.#options = options;
    this.#request = request;
    this.#agent = new Agent({ keepAlive: true, ...(options.tls && { ...options.tls, minVersion: 'TLSv1.3' }) });
    this.#target = { ...urlToHttpOptions(new URL(options.url)), method: 'POST', agent: this.#agent };
    this.#bearer = options.jwtSecret && jwtBearer(options.jwtSecret);
  }

  /** Sends a body once. @throws StaleConnection if the server closed a persistent connection without an answer */
  send(text: string, call: CallOptions): Promise<HttpAnswer> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...this.#options.headers,
    };
    if (this.#bearer) headers['authorization'] = this.#bearer();
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs ?? 10_000;
    return new Promise((resolve, reject) => {
      let isLate = false;
      let isAnswered = false;
      const fail = (cause: NodeJS.ErrnoException) => {
        stopLimit();
        const isByServer = !this.#isClosed && CLOSED_CODES.has(cause.code ?? '');
        const isStale = request.reusedSocket && !isAnswered && isByServer;
        const message = isLate ? `no answer within ${timeoutMs} ms` : cause.message;
        reject(new (isStale ? StaleConnection : TransportError)(this.#options.url, message, { cause }));
      };
      const request = this.#request(
        { ...this.#target, headers, ...(call.signal && { signal: call.signal }) },
        (response) => {
          isAnswered = true;
          const parts: Buffer[] = [];
          let size = 0;
          response.on('data', (part: Buffer) => {
            size += part.length;
            if (size > (this.#options.maxAnswer ?? Number.POSITIVE_INFINITY))
              response.destroy(new Error(`an answer of over ${this.#options.maxAnswer} bytes`));
            else parts.push(part);
          });
          response.on('end', () => {
            stopLimit();
            const text = Buffer.concat(parts).toString('utf8');
            resolve({ status: response.statusCode ?? 0, date: response.headers.date, text });
          });
          response.on('error', fail);
        },
      );
      request.on('error', fail);
      const stopLimit = timeLimit(timeoutMs, () => {
        isLate = true;
        request.destroy(new Error('timed out'));
      });
      request.end(text);
    });
  }

  /** Closes all connections. Requests without an answer fail, and are not sent again. */
  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }
}
