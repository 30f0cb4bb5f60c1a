import type { Stream } from '@libp2p/interface';
import { concatAll } from '../../../protocol/bytes.ts';

/**
 * First byte of a response (specification: rollup node p2p, payload_by_number).
 * Counterpart in op-node: `ResultCodeSuccess`, `ResultCodeNotFoundErr`, `ResultCodeInvalidErr`, `ResultCodeUnknownErr`.
 */
export const RESULT = { ok: 0, notFound: 1, invalid: 2, unknown: 3 } as const;

/**
 * Version of a response: a bare payload, or one behind the parent beacon block root.
 * Payloads with a withdrawals root use the second one too, as op-node does.
 */
export const RESPONSE = { payload: 0, envelope: 1 } as const;

/** Milliseconds for one side to read or write. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** Returns the protocol id of payload_by_number for a chain (op-node: `PayloadByNumberProtocolID`). */
export function blockRequestProtocol(chainId: number): string {
  return `/opstack/req/payload_by_number/${chainId}/0`;
}

/**
 * Reads until the remote end closes or `enough` bytes have arrived. Returns undefined past `most` bytes.
 * @throws Error if the signal aborts first
 */
export async function readStream(
  stream: Stream,
  { most, enough = Number.POSITIVE_INFINITY }: { readonly most: number; readonly enough?: number },
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const stop = () => stream.abort(new Error('the peer did not finish in time'));
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of stream) {
      const bytes = part instanceof Uint8Array ? part : part.subarray();
      size += bytes.length;
      if (size > most) return undefined;
      parts.push(bytes);
      if (size >= enough) break;
    }
    signal.throwIfAborted();
    return concatAll(parts);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
