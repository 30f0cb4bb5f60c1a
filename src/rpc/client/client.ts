import { skewedNow } from '../../system/time/skew.ts';

/**
 * A JSON-RPC client over any transport. Methods throw RpcError for the server's errors, TransportError without an
 * answer.
 */
export interface RpcClient {
  call<Result = unknown>(method: string, params?: readonly unknown[], options?: CallOptions): Promise<Result>;
  /** Sends several calls in one message. Returns a result or error for each, in order. */
  batch<Result = unknown>(requests: readonly Request[], options?: CallOptions): Promise<readonly Outcome<Result>[]>;
  close(): void;
}

export interface Request {
  readonly method: string;
  readonly params?: readonly unknown[];
}

export type Outcome<Result = unknown> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: Error };

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** An HTTP answer instead of JSON-RPC. */
export interface HttpRefusal {
  readonly status: number;
  /** The body, at most 200 characters. */
  readonly reason: string;
  /** The server's clock (`Date` header) and ours at the answer, Unix ms. */
  readonly serverTime: number | undefined;
  readonly localTime: number;
}

/** No JSON-RPC answer: refused, reset, timed out, or another format. `refusal` holds an HTTP answer. */
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

/** Returns the error of a request that a program did not answer, also beneath an error of viem. */
export function transportErrorIn(error: unknown): TransportError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof TransportError) return at;
  return undefined;
}

/** Creates the error of an HTTP answer that is not JSON-RPC. */
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
      localTime: skewedNow(),
    },
  });
}

/** Redacts a URL: removes credentials, shortens long path parts (provider keys). */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/[^/]{20,}/g, '…').replace(/\/$/, '')}`;
}
