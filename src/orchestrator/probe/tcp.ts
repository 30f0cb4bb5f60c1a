import { portAnswers } from '../../system/ports.ts';
import { type Check, OK, unreachable } from './probe.ts';

/** Somebody accepts connections on the port. */
export const tcp: Check<'tcp'> = async ({ probe, timeoutMs }) =>
  (await portAnswers(probe.host, probe.port, timeoutMs))
    ? OK
    : unreachable(`no process listens on ${probe.host}:${probe.port}`);
