import type { ErrorHandling } from '../errors.ts';

/**
 * An error of derivation, with its handling by the caller.
 * `retry` the same step later, `reset` to a known-good point, or stop (`fatal`). Counterparts: `NewTemporaryError`,
 * `NewResetError`, `NewCriticalError` (op-node), `PipelineErrorKind` (kona).
 */
export class DerivationError extends Error {
  override readonly name = 'DerivationError';
  readonly handling: Exclude<ErrorHandling, 'drop'>;

  constructor(handling: Exclude<ErrorHandling, 'drop'>, message: string) {
    super(message);
    this.handling = handling;
  }
}
