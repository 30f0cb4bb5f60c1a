import { RpcError } from '../error.ts';
import { jsonField } from '../json-object.ts';
import { type Outcome, TransportError } from './client.ts';

/** Reads one response object of JSON-RPC 2.0. `Result` is the type that the caller expects of the method. */
export function readOutcome<Result>(url: string, answer: unknown): Outcome<Result> {
  if (typeof answer !== 'object' || answer === null)
    return { ok: false, error: new TransportError(url, 'the answer is not a JSON-RPC response') };
  const error = jsonField(answer, 'error');
  if (error !== undefined && error !== null)
    return {
      ok: false,
      error: new RpcError(
        Number(jsonField(error, 'code') ?? 0),
        String(jsonField(error, 'message') ?? 'unknown error'),
        jsonField(error, 'data'),
      ),
    };
  if (!('result' in answer))
    return { ok: false, error: new TransportError(url, 'the answer has neither result nor error') };
  return { ok: true, result: answer.result as Result };
}
