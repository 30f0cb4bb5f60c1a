import { timeLimit } from '../../system/time/time-limit.ts';
import { directAgent, http, https } from '../http.ts';
import { TransportError } from './client.ts';

export interface RestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** 0: no limit. */
  readonly timeoutMs: number;
  /** Maximum bytes of the answer. */
  readonly maxBytes: number;
}

/** An answer of a REST interface. */
export interface RestAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** The body as UTF-8. */
  readonly text: string;
}

/** GETs a URL. @throws TransportError without a complete answer, of any status */
export function httpGet(url: string, options: RestOptions): Promise<RestAnswer> {
  return exchange(url, 'GET', options);
}

/** POSTs bytes to a URL. @throws TransportError without a complete answer, of any status */
export function httpPost(url: string, body: Uint8Array, options: RestOptions): Promise<RestAnswer> {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(body.length) };
  return exchange(url, 'POST', { ...options, headers: { ...headers, ...options.headers } }, body);
}

function exchange(url: string, method: string, options: RestOptions, sent?: Uint8Array): Promise<RestAnswer> {
  const { timeoutMs, maxBytes, headers } = options;
  const late = new AbortController();
  const { signal } = late;
  const agent = directAgent(url);
  const stopLimit = timeoutMs > 0 ? timeLimit(timeoutMs, () => late.abort()) : () => undefined;
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      stopLimit();
      reject(new TransportError(url, signal.aborted ? `no answer within ${timeoutMs} ms` : cause.message, { cause }));
    };
    const request = (url.startsWith('https:') ? https() : http()).request(
      url,
      { method, headers: { ...headers }, signal, ...(agent && { agent }) },
      (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size > maxBytes) response.destroy(new Error(`an answer of over ${maxBytes} bytes`));
          else parts.push(part);
        });
        response.on('end', () => {
          stopLimit();
          const body = Buffer.concat(parts);
          resolve({ status: response.statusCode ?? 0, body, text: body.toString('utf8') });
        });
        response.on('error', fail);
      },
    );
    request.on('error', fail);
    request.end(sent);
  });
}
