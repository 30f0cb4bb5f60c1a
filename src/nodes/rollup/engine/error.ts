/**
 * Kinds of failed engine calls, by the caller's next step (op-node: `BlockInsertionErrType`).
 * - `temporary`: no answer; retry after a pause.
 * - `syncing`: the engine lacks blocks below this one.
 * - `unauthorized`: the engine refuses the JWT (secrets or clocks differ); retry after a pause.
 * - `forkchoice`: the engine rejects these heads; reset the engine.
 * - `attributes`: no block can be built from these attributes.
 * - `invalid`: the payload breaks the rules.
 * - `unknown-payload`: the build is gone; start it again.
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

/** Tells whether an error is an {@link EngineError} of one of the kinds. */
export function isEngineError(error: unknown, ...kinds: readonly EngineErrorKind[]): error is EngineError {
  return error instanceof EngineError && kinds.includes(error.kind);
}
