import { urlToHttpOptions } from 'node:url';
import { timeLimit } from '../../system/time/time-limit.ts';
import { http, https } from '../http.ts';
import { jsonField } from '../json-object.ts';
import { jwtBearer } from '../jwt.ts';
import { type CallOptions, type Outcome, type Request, type RpcClient, refusedBy, TransportError } from './client.ts';
import { readOutcome } from './outcome.ts';
import { isIdempotent } from './reads.ts';

export interface HttpClientOptions {
  readonly url: string;
  readonly jwtSecret?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Maximum bytes of an answer; default: no limit. */
  readonly maxAnswer?: number;
  /** For an https URL: trusted authority, own certificate and key, in PEM. */
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string };
}

interface Answer {
  readonly status: number;
  readonly date: string | undefined;
  readonly text: string;
}

/** Codes of a connection that its server has closed. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** A kept connection that was closed before any byte of an answer. */
class StaleConnection extends TransportError {}

/** Creates a JSON-RPC client over HTTP with persistent connections. */
export function httpClient(options: HttpClientOptions): RpcClient {
  const secure = options.url.startsWith('https:');
  const { Agent, request: send } = secure ? https() : http();
  const agent = new Agent({ keepAlive: true, ...(options.tls && { ...options.tls, minVersion: 'TLSv1.3' }) });
  const target = { ...urlToHttpOptions(new URL(options.url)), method: 'POST', agent };
  const bearer = options.jwtSecret && jwtBearer(options.jwtSecret);
  let nextId = 1;

  /** Sends a body once. Rejects with `StaleConnection` where the server closed a kept connection without an answer. */
  function exchange(text: string, call: CallOptions): Promise<Answer> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...options.headers,
    };
    if (bearer) headers['authorization'] = bearer();
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? 10_000;
    return new Promise((resolve, reject) => {
      let isLate = false;
      let isAnswered = false;
      const fail = (cause: NodeJS.ErrnoException) => {
        stopLimit();
        const isStale = request.reusedSocket && !isAnswered && CLOSED.has(cause.code ?? '');
        const message = isLate ? `no answer within ${timeoutMs} ms` : cause.message;
        reject(new (isStale ? StaleConnection : TransportError)(options.url, message, { cause }));
      };
      const request = send({ ...target, headers, ...(call.signal && { signal: call.signal }) }, (response) => {
        isAnswered = true;
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size > (options.maxAnswer ?? Number.POSITIVE_INFINITY))
            response.destroy(new Error(`an answer of over ${options.maxAnswer} bytes`));
          else parts.push(part);
        });
        response.on('end', () => {
          stopLimit();
          const text = Buffer.concat(parts).toString('utf8');
          resolve({ status: response.statusCode ?? 0, date: response.headers.date, text });
        });
        response.on('error', fail);
      });
      request.on('error', fail);
      const stopLimit = timeLimit(timeoutMs, () => {
        isLate = true;
        request.destroy(new Error('timed out'));
      });
      request.end(text);
    });
  }

  async function post(body: unknown, methods: readonly string[], call: CallOptions): Promise<unknown> {
    const text = JSON.stringify(body);
    let answer: Answer | undefined;
    // The server may have closed the kept connection before the request reached it, or after it was executed.
    // Each such failure takes one kept connection out of the pool, and a new connection never counts as stale.
    while (answer === undefined)
      answer = await exchange(text, call).catch((error: unknown) => {
        if (error instanceof StaleConnection && methods.every(isIdempotent)) return undefined;
        throw error;
      });
    try {
      return JSON.parse(answer.text);
    } catch {
      throw refusedBy(options.url, { ...answer, words: answer.text });
    }
  }

  return {
    async call<Result>(method: string, params: readonly unknown[] = [], call: CallOptions = {}) {
      const outcome = readOutcome<Result>(
        options.url,
        await post({ jsonrpc: '2.0', id: nextId++, method, params }, [method], call),
      );
      if (!outcome.ok) throw outcome.error;
      return outcome.result;
    },
    async batch<Result>(requests: readonly Request[], call: CallOptions = {}): Promise<readonly Outcome<Result>[]> {
      if (requests.length === 0) return [];
      const first = nextId;
      nextId += requests.length;
      const answer = await post(
        requests.map(({ method, params = [] }, index) => ({ jsonrpc: '2.0', id: first + index, method, params })),
        requests.map(({ method }) => method),
        call,
      );
      if (!Array.isArray(answer)) {
        const single = readOutcome<Result>(options.url, answer);
        throw single.ok ? new TransportError(options.url, 'expected an array of answers') : single.error;
      }
      const byId = new Map(answer.map((item) => [jsonField(item, 'id'), item]));
      return requests.map((_, index) => readOutcome<Result>(options.url, byId.get(first + index)));
    },
    close: () => agent.destroy(),
  };
}
