import { Failure, messageOf } from '../../system/failure.ts';
import { noAnswer } from '../devnet/no-answer.ts';

/** Code of the failure that a dashboard's devnet was taken down. */
export const ENDED = 'ended';

/** Whether an error says that the devnet was taken down. */
export const isEnd = (error: unknown): boolean => error instanceof Failure && error.code === ENDED;

/** Returns the message of an error, and below it what to do next. */
export function failureWords(reason: unknown): string {
  const error = noAnswer(reason, {}) ?? reason;
  const hint = error instanceof Failure && error.hint !== undefined ? `\n${error.hint}` : '';
  return `${messageOf(error)}${hint}`;
}
