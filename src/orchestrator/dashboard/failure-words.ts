import { Failure, messageOf } from '../../system/failure.ts';

/** Returns the message of an error, and below it what to do next. */
export function failureWords(error: unknown): string {
  const hint = error instanceof Failure && error.hint !== undefined ? `\n${error.hint}` : '';
  return `${messageOf(error)}${hint}`;
}
