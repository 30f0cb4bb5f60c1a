import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { sayAction } from '../../change/act-on-node.ts';
import { changeNode } from '../../change/change-node.ts';
import { forkTimes } from '../../spec/schema/chain.ts';
import { forkTimeWord } from '../../spec/schema/values.ts';
import { key, text, withDescription } from '../../spec/schema/words.ts';
import { outputEvidence } from '../evidence.ts';
import { runsHere } from '../facts.ts';
import { changeNodeSet, checkNodeSet, nodeSetKeys } from '../node-set.ts';
import { nodesOf } from '../places.ts';
import { defineStep } from '../step.ts';

const ACTIONS = ['stop', 'start', 'kill', 'pause', 'resume'] as const;

const target = withDescription(text, 'NODE, NODE.el, NODE.cl, or a task as status names it');

const argument = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Arguments that a restart sets. */
export const args = withDescription(z.record(text, argument), 'arguments of one process; null removes one');

/** Runs a node command: stop, start, kill, pause, resume, restart, reset, add, remove. */
export const node = defineStep({
  name: 'node',
  summary: "Does to a node's processes what `devnet node` does.",
  schema: z
    .strictObject({
      stop: z.exactOptional(target),
      start: z.exactOptional(target),
      kill: z.exactOptional(target),
      pause: z.exactOptional(target),
      resume: z.exactOptional(target),
      restart: z.exactOptional(target),
      reset: key(z.union([z.literal(true), target]), 'a node; or true beside restart: empties its data first'),
      override: key(forkTimes, 'with restart or reset: activation times of this node only'),
      args: z.exactOptional(args),
      rewind: key(z.boolean(), 'with restart: go back to the block before a moved activation'),
      ...nodeSetKeys,
    })
    .check(
      z.refine(
        (value) => actionsIn(value).length === 1,
        'exactly one of stop, start, kill, pause, resume, restart, reset, add, remove, with a node',
      ),
    ),
  check(value, facts) {
    const [[action, word] = ['restart', '']] = actionsIn(value);
    checkNodeSet(value, facts);
    if (action === 'add' || action === 'remove' || !runsHere(facts, [action], word)) return;
    for (const { chain } of nodesOf(facts.plan, word))
      for (const fork of Object.keys(value.override ?? {})) facts.timeline.movedForks.add(`${chain.name} ${fork}`);
    const changes = (['override', 'args', 'rewind'] as const).filter((each) => value[each] !== undefined);
    for (const change of changes)
      if (action !== 'restart' && (action !== 'reset' || change === 'rewind'))
        facts.report([change], `"${change}" changes nothing with ${action}`, { allowed: 'with restart' });
  },
  async run(value, run) {
    const [action, word] = present(actionsIn(value)[0], 'action of a node step');
    const simple = ACTIONS.find((each) => each === action);
    if (action === 'add' || action === 'remove') return changeNodeSet(value, run);
    return outputEvidence(run, async (io) => {
      if (simple !== undefined) return sayAction(io, run.devnet(), simple, word);
      const overrides = Object.entries(value.override ?? {});
      const wish = {
        overrides: overrides.map(([fork, time]) => [fork, forkTimeWord(time)] as const),
        args: Object.entries(value.args ?? {}).map(([name, each]) => [name, String(each)] as const),
      };
      const manner = { rewind: value.rewind === true, empty: value.reset !== undefined };
      return changeNode(io, run.devnet(), word, wish, manner);
    });
  },
});

/** Lists the actions of a step with the nodes that they name. */
function actionsIn(value: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return [...ACTIONS, 'restart', 'reset', 'add', 'remove'].flatMap((action) => {
    const word = value[action];
    return typeof word === 'string' ? [[action, word] as const] : [];
  });
}
