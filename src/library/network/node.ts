import { actOnNode, type NodeAction } from '../../orchestrator/change/act-on-node.ts';
import { changeNodeIn } from '../../orchestrator/change/change-node.ts';
import { skewClock } from '../../orchestrator/change/skew-clock.ts';
import { type Devnet, viewOf } from '../../orchestrator/devnet/select.ts';
import { tasksOf } from '../../orchestrator/devnet/targets.ts';
import { logLines } from '../../orchestrator/logs/task-logs.ts';
import { nodesNamed } from '../../orchestrator/scenario/places.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import type { DevnetNode, NodeChanges } from './devnet-types.ts';
import { translate, translateErrors, UsageError } from './errors.ts';
import { nodeClient } from './layers.ts';

/** Makes the handle of a node or a process. @throws UsageError if the network has none of this name */
export function nodeOf(io: Io, devnet: () => Devnet, word: string): DevnetNode {
  const plan = () => viewOf(devnet()).plan;
  const act = (action: NodeAction) => translateErrors(io, async () => void (await actOnNode(devnet(), action, word)));
  const change = (changes: NodeChanges, manner: { readonly rewind: boolean; readonly empty: boolean }) =>
    translateErrors(io, () => changeNodeIn(io, devnet(), word, wishOf(changes), manner));
  const tasks = () => {
    try {
      return tasksOf(plan(), word);
    } catch (error) {
      throw translate(io, error);
    }
  };
  return {
    tasks: tasks().map(({ id }) => id),
    get public() {
      const [place] = nodesNamed(plan(), word.replace(/[./](el|cl)$/, ''));
      if (place === undefined) throw new UsageError('target', `${word} is not a node: it has no execution client`);
      return nodeClient(plan(), place.chain.name, place.node.el.http);
    },
    stop: () => act('stop'),
    start: () => act('start'),
    kill: () => act('kill'),
    pause: () => act('pause'),
    resume: () => act('resume'),
    restart: ({ rewind = false, ...changes } = {}) => change(changes, { rewind, empty: false }),
    reset: (changes = {}) => change(changes, { rewind: false, empty: true }),
    skew: (ms) => translateErrors(io, () => skewClock(devnet(), word, ms)),
    logs: (options) => logLines(plan(), tasks(), options),
  };
}

function wishOf({ override = {}, args = {} }: NodeChanges) {
  return { overrides: pairsOf(override), args: pairsOf(args) };
}

/** Writes values as the command line takes them. */
export function pairsOf(values: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(values).map(([name, value]) => [name, String(value)] as const);
}
