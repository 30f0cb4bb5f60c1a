import { join } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { writeAtomic } from '../../system/files/atomic-write.ts';
import { readText } from '../../system/files/folder.ts';
import type { Logger } from '../../system/program/log.ts';
import type { HostNames } from '../plan/inputs.ts';
import { entryOf, taskOf } from '../plan/lookup.ts';
import type { Plan, Probe, Task } from '../plan/plan.ts';
import type { ProbeSubject } from '../probe/probe.ts';
import { ask, untilHolds } from '../probe/probes.ts';
import { MACHINE, type NameSources, unansweredName } from './names.ts';

/** What probes see of a process of another unit: nothing but its ports. */
const ELSEWHERE: ProbeSubject = { log: '', logStart: 0, exitCode: undefined };

/** Time (ms) after which a wait for another unit is logged, and again each time. */
const REPORT_EVERY_MS = 10_000;

/** Waits until the tasks of other units that a task needs are ready, or the signal aborts. */
export async function untilNeedsReady(
  plan: Plan,
  tasks: readonly Task[],
  hostNames: HostNames,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  const unit = (id: string) => entryOf(hostNames, id);
  const names = new Set(tasks.map(({ id }) => unit(id)));
  const needs = tasks.flatMap((task) => needsOf(plan, task)).filter((id) => !names.has(unit(id)));
  for (const id of new Set(needs)) {
    const started = Date.now();
    let reported = 0;
    await Promise.all(
      taskOf(plan, id).ready.map((probe) =>
        untilHolds(
          probe,
          () => ELSEWHERE,
          signal,
          ({ detail }) => {
            const periods = Math.floor((Date.now() - started) / REPORT_EVERY_MS);
            if (periods === reported) return;
            reported = periods;
            log.info('waits for another unit', { task: id, unit: unit(id), probe: probe.description, finding: detail });
          },
        ),
      ),
    );
  }
}

/** Lists the tasks that are ready before a task starts. L1 behind its gate is called by its beacon node alone. */
function needsOf({ tasks }: Plan, task: Task): readonly string[] {
  const node = task.kind === 'cl' ? [task.id.replace(/cl$/, 'el')] : [];
  const needs = ['l1-beacon', ...node, ...task.needs.map((need) => need.task)];
  return needs.map((id) => (id === 'l1' ? 'l1-beacon' : id)).filter((id) => tasks.some((other) => other.id === id));
}

const HEALTH_FILE = 'health.json';

/** Writes what the health command of a unit asks. */
export function writeHealth(data: string, tasks: readonly Task[]): void {
  const probes: readonly Probe[] = tasks.flatMap(({ ready }) => ready);
  writeAtomic(join(data, HEALTH_FILE), JSON.stringify(probes), 0o600);
}

/**
 * Asks each probe of a unit once, but those of the kinds left out.
 * @throws Failure `unit` (exit 1) with the first that does not hold
 */
export async function checkHealth(
  data: string,
  leftOut: readonly Probe['kind'][] = [],
  sources: NameSources = MACHINE,
): Promise<void> {
  const text = readText(join(data, HEALTH_FILE));
  if (text === undefined) throw unhealthy('it waits for the genesis time of L1');
  const all: readonly Probe[] = JSON.parse(text);
  const probes = all.filter(({ kind }) => !leftOut.includes(kind));
  const name = await unansweredName(probes, sources);
  if (name !== undefined) throw unhealthy(`no DNS server answers for the name ${name}`);
  for (const probe of probes) {
    const finding = await ask(probe, ELSEWHERE, new AbortController().signal);
    if (finding.kind !== 'ok') throw unhealthy(`${probe.description}: ${finding.detail}`);
  }
}

function unhealthy(detail: string): Failure {
  return new Failure('unit', `not ready: ${detail}`, { exit: EXIT.failed });
}
