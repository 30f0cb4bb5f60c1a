import { Failure, type FailureCode } from '../../system/failure.ts';

/** Codes of the errors that an answer of the supervisor names. Any other error has the code `control`. */
export const ANSWER_CODES = ['starting', 'busy', 'ended', 'warp', 'snapshot', 'write'] as const;

export type AnswerCode = (typeof ANSWER_CODES)[number];

/** Returns the code by which an answer names an error, undefined where it names none. */
export function answerCode(error: unknown): AnswerCode | undefined {
  const code: FailureCode | undefined = error instanceof Failure ? error.code : undefined;
  return ANSWER_CODES.find((each) => each === code);
}

/** Refuses a request of a network that cannot be used yet. */
export function stillStarting(): Failure<'starting'> {
  return new Failure('starting', 'the network is still starting: wait until it is ready');
}

/** Refuses a request beside which something else is under way. `message` says what that is, and what to do. */
export function isBusy(message: string): Failure<'busy'> {
  return new Failure('busy', message);
}
