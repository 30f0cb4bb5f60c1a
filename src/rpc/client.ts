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

/** No answer came: refused, reset, timed out, or not JSON-RPC. `status` where the server spoke HTTP other than 200. */
export class TransportError extends Error {
  readonly url: string;
  readonly status: number | undefined;

  constructor(url: string, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(`${redactUrl(url)}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TransportError';
    this.url = url;
    this.status = options.status;
  }
}

/** A URL without its credentials and with long path parts (provider keys) hidden. */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/[^/]{20,}/g, '…').replace(/\/$/, '')}`;
}
