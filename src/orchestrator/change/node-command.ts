import { EXIT } from '../../system/failure.ts';
import type { ControlClient } from '../control/client.ts';
import type { Request } from '../control/requests.ts';
import { controlOf, DEVNET_OPTIONS, type Devnet, selectDevnet, viewOf } from '../devnet/select.ts';
import { tasksOf } from '../devnet/targets.ts';
import {
  type ArgumentDefinition,
  type CommandDefinition,
  type Io,
  type OptionDefinition,
  type OptionValues,
  textOption,
} from '../terminal/command.ts';

export const NODE_ARGUMENT: ArgumentDefinition = {
  syntax: '<node>',
  description: 'NODE, NODE.el, NODE.cl, batcher, proposer, l1, l1-beacon, or a task as status names it',
};

export const NODE_OPTIONS: readonly OptionDefinition[] = DEVNET_OPTIONS;

/** What is said of tasks on which an action was done, and of the others. */
const OUTCOMES = {
  stop: ['stopped', 'not running'],
  kill: ['killed', 'not running'],
  start: ['started', 'already running'],
  pause: ['paused', 'not running'],
  resume: ['resumed', 'not paused'],
} as const;

export type NodeAction = keyof typeof OUTCOMES;

/** Defines the command `node <action>`. */
export function nodeActionCommand(action: NodeAction, summary: string): CommandDefinition {
  return {
    name: `node ${action}`,
    group: 'change a network',
    summary,
    examples: [`devnet node ${action} verifier`, `devnet node ${action} sequencer.cl`],
    arguments: [NODE_ARGUMENT],
    options: NODE_OPTIONS,
    async run(io, [node], options) {
      await nodeCommand(io, action, String(node), options);
      return EXIT.done;
    },
  };
}

/** Asks the supervisor for an action on a node's processes, and waits for the result. @throws Failure */
export async function nodeCommand(io: Io, action: NodeAction, node: string, options: OptionValues): Promise<void> {
  const { done, others } = await actOnNode(selectDevnet(io, textOption(options, 'name')), action, node);
  const [did, otherwise] = OUTCOMES[action];
  if (done.length > 0) io.stderr(`${done.join(', ')} ${did}\n`);
  if (others.length > 0) io.stderr(`${otherwise}: ${others.join(', ')}\n`);
}

/** Tasks on which an action was done, and tasks that needed none. */
interface Acted {
  readonly done: readonly string[];
  readonly others: readonly string[];
}

/** Does an action on the processes that a word names, and waits for the result. @throws Failure */
export async function actOnNode(devnet: Devnet, action: NodeAction, word: string): Promise<Acted> {
  const tasks = tasksOf(viewOf(devnet).plan, word).map(({ id }) => id);
  const control = await controlOf(devnet);
  try {
    const done = await askSupervisor(control, { method: 'node', action, tasks });
    return { done, others: tasks.filter((id) => !done.includes(id)) };
  } finally {
    control.close();
  }
}

/** Timeout (ms) of a restart. Covers the stop grace and a minute to start, twice where old arguments are restored. */
const PATIENCE = 300_000;

/** Requests an action on tasks. Returns the ids of those it was done on. @throws Failure */
export async function askSupervisor(
  control: ControlClient,
  request: Omit<Extract<Request, { method: 'node' }>, 'id'>,
): Promise<readonly string[]> {
  return (await control.ask<{ readonly tasks: readonly string[] }>(request, PATIENCE)).tasks;
}
