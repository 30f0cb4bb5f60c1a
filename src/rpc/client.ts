/** A JSON-RPC caller, whatever carries it. Methods throw RpcError for the server's errors and TransportError where none came. */
export interface RpcClient {
  call<Result = unknown>(method: string, params?: readonly unknown[], options?: CallOptions): Promise<Result>;
  /** Several calls in one message, answered in their order; each its result or its RpcError. */
  batch(requests: readonly Request[], options?: CallOptions): Promise<readonly Outcome[]>;
  close(): void;
}

export interface Request {
  readonly method: string;
  readonly params?: readonly unknown[];
}

export type Outcome = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: Error };

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** What a server answered over HTTP instead of JSON-RPC. */
export interface HttpRefusal {
  readonly status: number;
  /** Its own words, at most 200 characters. */
  readonly reason: string;
  /** Its clock (`Date` header) and ours when the answer came, Unix ms. */
  readonly serverTime: number | undefined;
  readonly localTime: number;
}

/** No answer came: refused, reset, timed out, or not JSON-RPC. `refusal` where the server spoke HTTP. */
export class TransportError extends Error {
  readonly url: string;
  readonly refusal: HttpRefusal | undefined;

  constructor(url: string, message: string, options: { refusal?: HttpRefusal; cause?: unknown } = {}) {
    super(`${redactUrl(url)}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TransportError';
    this.url = url;
    this.refusal = options.refusal;
  }

  get status(): number | undefined {
    return this.refusal?.status;
  }
}

/** The error of an HTTP answer that is no JSON-RPC. */
export function refusedBy(
  url: string,
  answer: { readonly status: number; readonly date: string | undefined; readonly words: string },
): TransportError {
  const reason = answer.words.slice(0, 200).trim() || 'empty answer';
  const serverTime = answer.date === undefined ? Number.NaN : Date.parse(answer.date);
  return new TransportError(url, `HTTP ${answer.status}: ${reason}`, {
    refusal: {
      status: answer.status,
      reason,
      serverTime: Number.isNaN(serverTime) ? undefined : serverTime,
      localTime: Date.now(),
    },
  });
}

/** A URL without its credentials and with long path parts (provider keys) hidden. */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/[^/]{20,}/g, '…').replace(/\/$/, '')}`;
}
