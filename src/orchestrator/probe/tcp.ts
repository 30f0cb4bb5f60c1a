import { portAnswers } from '../../system/ports.ts';
import { type Check, HOLDS, silent } from './probe.ts';

/** Somebody accepts connections on the port. */
export const tcp: Check<'tcp'> = async ({ probe, timeoutMs }) =>
  (await portAnswers(probe.host, probe.port, timeoutMs))
    ? HOLDS
    : silent(`nobody listens on ${probe.host}:${probe.port}`);
