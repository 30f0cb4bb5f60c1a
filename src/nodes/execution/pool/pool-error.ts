import type { PoolErrorKind } from './error-kind.ts';
import { poolErrorMessage } from './error-messages.ts';

/** A transaction that the pool rejects. The message is op-geth's. Each flavour has its own RPC error for `problem`. */
export class PoolError extends Error {
  override readonly name = 'PoolError';
  readonly problem: PoolErrorKind;

  constructor(problem: PoolErrorKind) {
    super(poolErrorMessage(problem));
    this.problem = problem;
  }
}

/** @throws PoolError */
export function reject(problem: PoolErrorKind): never {
  throw new PoolError(problem);
}
