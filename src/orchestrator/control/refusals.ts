import { Failure, type FailureCode } from '../../system/failure.ts';

/** Codes of the errors that an answer of the supervisor names. Any other error has the code `control`. */
export const ANSWER_CODES = [
  'starting',
  'busy',
  'ended',
  'warp',
  'snapshot',
  'write',
  'request',
  'target',
  'external',
  'rewind',
  'conflict',
  'change',
  'l1',
  'fault',
  'sequencer',
  'clock',
] as const satisfies readonly FailureCode[];

export type AnswerCode = (typeof ANSWER_CODES)[number];

/** The part of an answer by which programs tell its error from others. */
export interface ErrorFacts {
  readonly code?: AnswerCode;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Returns the code and the data by which an answer names an error. An error without a code has neither. */
export function errorFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Failure)) return {};
  const code = ANSWER_CODES.find((each) => each === error.code);
  return code === undefined ? {} : { code, data: error.data };
}

/** Refuses a request of a network that cannot be used yet. */
export function stillStarting(): Failure<'starting'> {
  return new Failure('starting', 'the network is still starting: wait until it is ready');
}

/** Refuses a request beside which some work is under way. `message` says what to do. */
export function isBusy(work: string, message: string): Failure<'busy'> {
  return new Failure('busy', message, { data: { work } });
}

/** Refuses a change that was planned before another one was made. */
export function conflict(): Failure<'conflict'> {
  return new Failure(
    'conflict',
    'the spec of the network was changed by another command meanwhile: run the command again',
  );
}

/** Refuses a request that is malformed, or that does not fit the network. */
export function refusedRequest(problem: string, data: Record<string, unknown> = {}): Failure<'request'> {
  return new Failure('request', problem, { data });
}
