import { setTimeout as sleep } from 'node:timers/promises';
import { portAnswers } from '../../system/ports.ts';
import { KINDS, type Probe } from './kinds.ts';
import { type Finding, type ProbeSubject, unreachable } from './probe.ts';

/** Milliseconds that one question may take. */
const PROBE_TIMEOUT = 1000;

/**
 * Milliseconds between the first questions, and before the first: hardly a program answers sooner. While a network starts its processors are busy, and
 * what a question takes from them (a connection, at both ends) is time that all others wait.
 */
const FIRST_PAUSE = 30;
const BOOT = 150;

/** Asks once. */
export async function ask(probe: Probe, subject: ProbeSubject, signal: AbortSignal): Promise<Finding> {
  const kind = KINDS.find(({ name }) => name === probe.kind);
  const found = await kind?.ask({ probe, subject, signal, timeoutMs: PROBE_TIMEOUT });
  return found ?? unreachable(`there is no probe of the kind ${probe.kind}`);
}

const knocking = new Map<string, Promise<boolean>>();

/** Whether somebody listens where the probe will ask. Probes that ask at one address knock once together. */
function knock(probe: Probe): Promise<boolean> {
  if (!('url' in probe)) return Promise.resolve(true);
  const { hostname, port, protocol, origin } = new URL(probe.url);
  const known = knocking.get(origin);
  if (known) return known;
  const answers = portAnswers(hostname, Number(port) || (protocol.endsWith('s:') ? 443 : 80), PROBE_TIMEOUT);
  knocking.set(origin, answers);
  void answers.finally(() => knocking.delete(origin));
  return answers;
}

/**
 * Asks until the probe holds or the signal aborts, and calls back with every other finding. Quick at first, because a program answers within
 * some hundred milliseconds or takes seconds, and slower with time, because asking takes processor time from who shall answer.
 */
export async function untilHolds(
  probe: Probe,
  subject: () => ProbeSubject,
  signal: AbortSignal,
  found: (finding: Exclude<Finding, { kind: 'ok' }>) => void,
): Promise<void> {
  await sleep(BOOT, undefined, { signal }).catch(() => undefined);
  let listens = !('url' in probe);
  for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(pause * 1.05, 250)) {
    // Knocking is cheaper than asking.
    listens ||= await knock(probe);
    const finding = listens ? await ask(probe, subject(), signal) : unreachable('no process listens there yet');
    if (signal.aborted) return;
    if (finding.kind === 'ok') return;
    found(finding);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}
