import { type HttpRefusal, redactUrl, TransportError } from '../../../rpc/client/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import { JWT_WINDOW } from '../../../rpc/jwt.ts';
import { EngineError, type EngineErrorKind } from './error.ts';

/** The engine, as the message about a refused token names it. */
export interface EngineAddress {
  readonly url: string;
  readonly secretFile: string;
}

/** Error codes of the Engine API (op-service: `ErrorCode`, `InvalidForkchoiceState`). */
const CODES: Readonly<Record<number, EngineErrorKind>> = {
  [-38001]: 'unknown-payload',
  [-38002]: 'forkchoice',
  [-38003]: 'attributes',
};

/** Classifies a failed call by the caller's next step. */
export function engineErrorOf(engine: EngineAddress, method: string, error: unknown): EngineError {
  if (error instanceof RpcError) {
    const kind = CODES[error.code] ?? 'temporary';
    return new EngineError(kind, `${method}: ${error.message} (${error.code})`, error);
  }
  const refusal = error instanceof TransportError ? error.refusal : undefined;
  if (refusal?.status === 401) return new EngineError('unauthorized', refusedToken(engine, refusal), error);
  return new EngineError('temporary', `no answer to ${method}`, error);
}

/**
 * Explains a 401: clocks that differ by more than the token window, else secrets that differ.
 * Names the engine's reason.
 */
function refusedToken({ url, secretFile }: EngineAddress, refusal: HttpRefusal): string {
  const { reason, serverTime, localTime } = refusal;
  const time = (unixMs: number) => `${new Date(unixMs).toISOString().slice(0, 19)}Z`;
  const theirs = serverTime === undefined ? 'its clock is not stated' : `its clock ${time(serverTime)}`;
  const apart = serverTime === undefined ? 0 : Math.abs(serverTime - localTime) / 1000;
  const remedy =
    apart > JWT_WINDOW
      ? `synchronize the clocks of the two machines: they differ by ${Math.round(apart)} s, ` +
        `and tokens are valid for ${JWT_WINDOW} s`
      : `compare the secret file ${secretFile} (--l2.jwt-secret) with that of the execution client ` +
        '(--authrpc.jwtsecret): both must hold the same 32 bytes';
  const clocks = `our clock ${time(localTime)}, ${theirs}`;
  return `the engine at ${redactUrl(url)} refuses our token (HTTP 401): ${reason}; ${clocks}; ${remedy}`;
}
