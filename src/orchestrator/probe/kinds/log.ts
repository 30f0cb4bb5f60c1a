import { readFrom } from '../../../system/files/lines.ts';
import { OK, probeKind, unreachable } from '../probe.ts';

/** The process wrote a line like this since it was started. */
export const log = probeKind({
  name: 'log',
  written: ({ z, withDescription }) => ({
    log: withDescription(z.string('text'), 'regular expression that a line of the log matches'),
  }),
  plan: ({ log: pattern, description = `writes ${pattern}` }) => ({ kind: 'log' as const, pattern, description }),
  async check({ probe, subject }) {
    return new RegExp(probe.pattern, 'm').test(readFrom(subject.log, subject.logStart, 1024 * 1024))
      ? OK
      : unreachable(`no line like /${probe.pattern}/ in ${subject.log}`);
  },
});
