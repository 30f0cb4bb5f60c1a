import { EXIT, Failure } from '../../system/failure.ts';

/** Refuses a snapshot. */
export function refusalOf(name: string, why: string, hint = 'nothing was done'): Failure {
  return new Failure('snapshot', `cannot use the snapshot ${name}: ${why}`, { exit: EXIT.usage, hint });
}
