import { type CallOptions, type Outcome, type Request, type RpcClient, TransportError } from './client.ts';
import { http, https } from './http.ts';
import { signJwt } from './jwt.ts';
import { readOutcome } from './outcome.ts';

export interface HttpClientOptions {
  readonly url: string;
  readonly jwtSecret?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Bytes of an answer, at most; default: any. */
  readonly maxAnswer?: number;
  /** For an https URL: PEM of whom to trust, and of who this is. */
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string };
}

/** A JSON-RPC client over HTTP with kept connections. */
export function httpClient(options: HttpClientOptions): RpcClient {
  const secure = options.url.startsWith('https:');
  const { Agent, request: send } = secure ? https() : http;
  const agent = new Agent({ keepAlive: true, ...(options.tls && { ...options.tls, minVersion: 'TLSv1.3' }) });
  let nextId = 1;

  async function post(body: unknown, call: CallOptions): Promise<unknown> {
    const text = JSON.stringify(body);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...options.headers,
    };
    if (options.jwtSecret) headers['authorization'] = `Bearer ${await signJwt(options.jwtSecret)}`;
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? 10_000;
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(call.signal ? [call.signal] : [])]);
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const fail = (cause: Error) =>
        reject(
          new TransportError(
            options.url,
            signal.aborted && !call.signal?.aborted ? `no answer within ${timeoutMs} ms` : cause.message,
            { cause },
          ),
        );
      const request = send(options.url, { method: 'POST', agent, headers, signal }, (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size > (options.maxAnswer ?? Number.POSITIVE_INFINITY))
            response.destroy(new Error(`an answer of over ${options.maxAnswer} bytes`));
          else parts.push(part);
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        );
        response.on('error', fail);
      });
      request.on('error', fail);
      request.end(text);
    });
    try {
      return JSON.parse(answer.text);
    } catch {
      throw new TransportError(
        options.url,
        `HTTP ${answer.status}: ${answer.text.slice(0, 200).trim() || 'empty answer'}`,
        { status: answer.status },
      );
    }
  }

  return {
    async call<Result>(method: string, params: readonly unknown[] = [], call: CallOptions = {}) {
      const outcome = readOutcome(options.url, await post({ jsonrpc: '2.0', id: nextId++, method, params }, call));
      if (!outcome.ok) throw outcome.error;
      return outcome.result as Result;
    },
    async batch(requests: readonly Request[], call: CallOptions = {}): Promise<readonly Outcome[]> {
      if (requests.length === 0) return [];
      const first = nextId;
      nextId += requests.length;
      const answer = await post(
        requests.map(({ method, params = [] }, index) => ({ jsonrpc: '2.0', id: first + index, method, params })),
        call,
      );
      if (!Array.isArray(answer)) {
        const single = readOutcome(options.url, answer);
        throw single.ok ? new TransportError(options.url, 'expected an array of answers') : single.error;
      }
      const byId = new Map(answer.map((item) => [(item as { id?: unknown } | null)?.id, item]));
      return requests.map((_, index) => readOutcome(options.url, byId.get(first + index)));
    },
    close: () => agent.destroy(),
  };
}
