import type { Plan, PlannedFile, Task } from '../plan/plan.ts';
import { closeClients } from '../probe/call.ts';
import type { ArgumentDefinition, Io, OptionDefinition, OptionValues } from './command.ts';
import { controlOf, selectDevnet, viewOf } from './select.ts';
import { tasksOf } from './targets.ts';

export const NODE_ARGUMENT: ArgumentDefinition = {
  syntax: '<node>',
  description: 'NODE, NODE.el, NODE.cl, batcher, proposer, l1, l1-beacon, or a task as status names it',
};

export const NODE_OPTIONS: readonly OptionDefinition[] = [
  { flags: '-n, --name <name>', description: 'the devnet; may be left out where one is up' },
];

/** What a restart changes. */
export interface Change {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
}

/** Has the supervisor do something with a node's processes, and waits until it is done. @throws Failure with what went wrong */
export async function nodeCommand(
  io: Io,
  action: 'stop' | 'start' | 'restart' | 'kill',
  node: string,
  options: OptionValues,
  change?: (plan: Plan, tasks: readonly Task[]) => Promise<Change | undefined>,
): Promise<void> {
  const devnet = selectDevnet(io, options['name'] as string | undefined);
  const { plan } = viewOf(devnet);
  const tasks = tasksOf(plan, node);
  const control = await controlOf(devnet);
  try {
    const changed = await change?.(plan, tasks);
    await control.ask({
      method: 'node',
      action,
      tasks: tasks.map(({ id }) => id),
      ...(changed === undefined ? {} : { plan: changed.plan, changed: changed.tasks, files: changed.files }),
    });
    const done = { stop: 'stopped', kill: 'killed', start: 'started', restart: 'restarted' }[action];
    io.stderr(`${tasks.map(({ id }) => id).join(', ')} ${done}\n`);
  } finally {
    control.close();
    closeClients();
  }
}
