import { lastLines } from '../../../system/files/lines.ts';
import { redactSecrets } from '../../plan/print/pasteable.ts';
import type { FailureReport } from '../../state/failure-report.ts';
import { likelyCause } from '../causes.ts';
import { isSettled, type LiveTask } from '../live-task.ts';
import type { Missing } from './agreed.ts';

type Tasks = ReadonlyMap<string, LiveTask>;

/** What a start can lack when its time is over. */
export type Lack = keyof typeof LACKS;

/** The subject of a failure that is no single process's. */
const NETWORK = { task: 'network', client: 'devnet' };

/** How a report says what is missing. */
const LACKS = {
  processes: 'not all processes were started',
  'first block': 'every endpoint answers, but the nodes do not agree on a first block',
  'safe block': 'no safe block on every node',
} as const;

/** Returns what a start waits for: processes, and likely causes in the words of the rollup nodes. */
export function missingTasks(tasks: Tasks): readonly { readonly task: string; readonly detail: string }[] {
  const open = [...tasks.values()].filter((live) => !isSettled(live));
  // A likely cause does not end the wait, but the user learns of it before the deadline.
  const likely = complaints(tasks).flatMap(({ task, cause }) =>
    cause === undefined ? [] : [{ task, detail: cause.cause }],
  );
  const late = open.map((live) => ({ task: live.task.id, detail: live.detail ?? live.phase }));
  const all = [...late.filter(({ task }) => likely.every((other) => other.task !== task)), ...likely];
  if (all.length > 0) return all;
  return [{ task: 'the network', detail: 'all answer, but not all have the same first block yet' }];
}

/** Reports a network whose time is over before something is there. `missing`: absent if it came just after. */
export function tooLateReport(tasks: Tasks, reason: Error, lacks: Lack, missing: Missing | undefined): FailureReport {
  const nodes = complaints(tasks);
  const likely = nodes.find(({ cause }) => cause !== undefined)?.cause;
  const lacking = missing === undefined ? '' : `: ${LACKS[lacks]}: ${missing.text}`;
  return {
    ...(missing === undefined ? NETWORK : slowest(tasks, missing, lacks === 'safe block')),
    reason: 'not-ready',
    what: lacks === 'processes' ? `${reason.message}: ${LACKS[lacks]}` : `${reason.message}${lacking}`,
    ...likely,
    lastLines: nodes.flatMap(({ task, lines }) => lines.map((line) => `${task}: ${line}`)),
    takenPorts: [],
    exit: 3,
  };
}

/** Returns the newest errors of the rollup nodes with their usual causes. */
function complaints(tasks: Tasks) {
  const all = [...tasks.values()];
  return all
    .filter(({ task }) => task.kind === 'cl')
    .map(({ task, logStart }) => {
      const node = `${task.chain}/${task.node}`;
      const words = all
        .filter(({ task: { id } }) => id.startsWith(`${node}/`))
        .flatMap(({ task: { command, secrets } }) => command.argv.map((word) => redactSecrets(word, secrets)));
      const lines = lastLines(task.log, 5, logStart).map((line) => redactSecrets(line, task.secrets));
      return { task: task.id, lines, cause: likelyCause(lines, undefined, node, words) };
    });
}

/** Names the process that a network waits for: if all nodes lack a safe block, the batcher is behind. */
function slowest(
  tasks: Tasks,
  { nodes: [node = '', ...others] }: Missing,
  isSafe: boolean,
): Pick<FailureReport, 'task' | 'client'> {
  const count = [...tasks.values()].filter(({ task: { kind } }) => kind === 'cl').length;
  const batcher = isSafe && others.length + 1 === count ? tasks.get(`${node.split('/')[0]}/batcher`) : undefined;
  const live = batcher ?? tasks.get(`${node}/cl`);
  return live === undefined ? NETWORK : { task: live.task.id, client: live.task.client };
}
