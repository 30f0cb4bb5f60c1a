import { type Outcome, TransportError } from './client.ts';
import { RpcError } from './error.ts';

/** Reads one response object of JSON-RPC 2.0. */
export function readOutcome(url: string, answer: unknown): Outcome {
  if (typeof answer !== 'object' || answer === null)
    return { ok: false, error: new TransportError(url, 'the answer is no JSON-RPC response') };
  const { result, error } = answer as {
    result?: unknown;
    error?: { code?: unknown; message?: unknown; data?: unknown };
  };
  if (error !== undefined && error !== null)
    return {
      ok: false,
      error: new RpcError(Number(error.code ?? 0), String(error.message ?? 'unknown error'), error.data),
    };
  if (!('result' in answer))
    return { ok: false, error: new TransportError(url, 'the answer has neither result nor error') };
  return { ok: true, result };
}
