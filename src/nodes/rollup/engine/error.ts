/**
 * What an engine call came to when it did not succeed, by what the caller does next:
 * `temporary` ask again after a pause (no answer); `syncing` the engine lacks blocks below the one in question; `unauthorized` it refuses the JWT (secrets or clocks differ), ask again after a pause;
 * `forkchoice` the engine cannot take these heads: find the sync start again; `attributes` no block can be built from these attributes;
 * `invalid` the payload breaks the rules; `unknown-payload` the build is gone, start it again.
 */
export type EngineErrorKind =
  | 'temporary'
  | 'syncing'
  | 'unauthorized'
  | 'forkchoice'
  | 'attributes'
  | 'invalid'
  | 'unknown-payload';

/** A failed engine call. */
export class EngineError extends Error {
  readonly kind: EngineErrorKind;

  constructor(kind: EngineErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EngineError';
    this.kind = kind;
  }
}

/** Whether an error is an {@link EngineError} of one of the kinds. */
export function isEngineError(error: unknown, ...kinds: readonly EngineErrorKind[]): error is EngineError {
  return error instanceof EngineError && kinds.includes(error.kind);
}
