import { type Check, mismatch, OK, unreachable } from './probe.ts';

/** The process ended with this code. */
export const exit: Check<'exit'> = async ({ probe, subject }) =>
  subject.exitCode === undefined
    ? unreachable('it still runs')
    : subject.exitCode === probe.code
      ? OK
      : mismatch(`it ended with ${subject.exitCode}, expected ${probe.code}`);
