import { readFrom } from '../../system/lines.ts';
import { type Check, OK, unreachable } from './probe.ts';

/** The process wrote a line like this since it was started. */
export const log: Check<'log'> = async ({ probe, subject }) =>
  new RegExp(probe.pattern, 'm').test(readFrom(subject.log, subject.logStart, 1024 * 1024))
    ? OK
    : unreachable(`no line like /${probe.pattern}/ in ${subject.log}`);
