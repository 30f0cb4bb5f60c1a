import { type Check, differs, HOLDS, silent } from './probe.ts';

/** The process ended with this code. */
export const exit: Check<'exit'> = async ({ probe, subject }) =>
  subject.exitCode === undefined
    ? silent('it still runs')
    : subject.exitCode === probe.code
      ? HOLDS
      : differs(`it ended with ${subject.exitCode}, expected ${probe.code}`);
