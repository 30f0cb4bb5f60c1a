import { mismatch, OK, probeKind, unreachable } from '../probe.ts';

/** The process ended with this code. */
export const exit = probeKind({
  name: 'exit',
  written: ({ z, withDescription }) => ({
    exit: withDescription(z.int(), 'the code with which a program ends that runs once'),
  }),
  plan: ({ exit: code, description = `ends with ${code}` }) => ({ kind: 'exit' as const, code, description }),
  async check({ probe, subject }) {
    if (subject.exitCode === undefined) return unreachable('it still runs');
    return subject.exitCode === probe.code ? OK : mismatch(`it ended with ${subject.exitCode}, expected ${probe.code}`);
  },
});
