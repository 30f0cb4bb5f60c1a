import { setTimeout as sleep } from 'node:timers/promises';
import { portAnswers } from '../../system/net/ports.ts';
import { PROBE_KINDS, type Probe } from './kinds.ts';
import { type Finding, type ProbeSubject, unreachable } from './probe.ts';

/** Timeout of one request, milliseconds. */
const PROBE_TIMEOUT_MS = 1000;

/** Milliseconds between the first requests. */
const FIRST_PAUSE_MS = 30;
/** Milliseconds before the first request. Few programs answer sooner, and early probes slow their start. */
const FIRST_PROBE_DELAY_MS = 150;

/** Asks once. */
export async function ask(probe: Probe, subject: ProbeSubject, signal: AbortSignal): Promise<Finding> {
  const kind = PROBE_KINDS.find(({ name }) => name === probe.kind);
  const finding = await kind?.ask({ probe, subject, signal, timeoutMs: PROBE_TIMEOUT_MS });
  return finding ?? unreachable(`there is no probe of the kind ${probe.kind}`);
}

const attempts = new Map<string, Promise<boolean>>();

/** Tells whether a process listens at the address of a probe. Probes of one address share one attempt to connect. */
function listensAt(probe: Probe): Promise<boolean> {
  if (!('url' in probe)) return Promise.resolve(true);
  const { hostname, port, protocol, origin } = new URL(probe.url);
  const attempt = attempts.get(origin);
  if (attempt) return attempt;
  const answers = portAnswers(hostname, Number(port) || (protocol.endsWith('s:') ? 443 : 80), PROBE_TIMEOUT_MS);
  attempts.set(origin, answers);
  void answers.finally(() => attempts.delete(origin));
  return answers;
}

/**
 * Asks until the probe holds or the signal aborts, and calls back with every other finding.
 * Pauses grow: a program answers within some hundred milliseconds or takes seconds, and probes take its processor time.
 */
export async function untilHolds(
  probe: Probe,
  subject: () => ProbeSubject,
  signal: AbortSignal,
  report: (finding: Exclude<Finding, { kind: 'ok' }>) => void,
): Promise<void> {
  await sleep(FIRST_PROBE_DELAY_MS, undefined, { signal }).catch(() => undefined);
  let listens = !('url' in probe);
  for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 1.05, 250)) {
    // A connection costs less than a request.
    listens ||= await listensAt(probe);
    const finding = listens ? await ask(probe, subject(), signal) : unreachable('no process listens there yet');
    if (signal.aborted) return;
    if (finding.kind === 'ok') return;
    report(finding);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}
