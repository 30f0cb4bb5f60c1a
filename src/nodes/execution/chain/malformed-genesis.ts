import { Failure } from '../../../system/failure.ts';

/** Returns the failure of a genesis file that cannot be used. */
export function malformedGenesis(path: string, problem: string, cause?: unknown): Failure {
  return new Failure('genesis', `cannot use the genesis file ${path}: ${problem}`, { data: { path }, cause });
}
