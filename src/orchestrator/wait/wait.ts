import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, Failure } from '../../system/failure.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { type Problem, problemLine } from '../state/problem.ts';
import type { Phase } from '../state/state.ts';
import { activationOf } from '../status/forks.ts';
import { headsAt } from '../status/heads.ts';
import { type Condition, missing } from './condition.ts';

export interface Wait {
  readonly condition: Condition;
  /** A node's name, or `<chain>/<node>`; undefined: all nodes. */
  readonly node: string | undefined;
  readonly timeoutMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Reads the devnet. Throws if there is none (yet). */
  look(): { readonly phase: Phase; readonly up: boolean; readonly plan: Plan };
  /**
   * Moves a stepped clock to the next slot and returns its time (ms). The timeout counts by it. Undefined: the clock
   * runs by itself.
   */
  advance?(plan: Plan): Promise<number | undefined>;
  /** Reads the state from its supervisor. */
  confirm(): Promise<{ readonly phase: Phase; readonly problems: readonly Problem[] }>;
}

/**
 * Waits until the condition holds. The code is 3 on timeout, and 1 as soon as the network has ended, because the
 * condition can no longer become true. Throws the reason of its signal.
 */
export async function waitFor(wait: Wait): Promise<{ readonly code: number; readonly description: string }> {
  const start = performance.now();
  let chainStart: number | undefined;
  let waited = 0;
  let wasUp = false;
  let description = '';
  for (let pause = 20; ; pause = Math.min(pause * 1.2, 250)) {
    wait.signal?.throwIfAborted();
    let plan: Plan | undefined;
    try {
      const { phase, up, ...view } = wait.look();
      plan = view.plan;
      if (!up && wasUp)
        return { code: EXIT.failed, description: `${plan.devnet} is ${phase}: the condition cannot come true` };
      wasUp ||= up;
      if (!up && wait.condition.kind !== 'ready')
        return { code: EXIT.failed, description: `${plan.devnet} is not running` };
      const open = await lacking(wait, phase, plan);
      if (open === undefined) return { code: EXIT.done, description: '' };
      description = open;
    } catch (error) {
      // Only `wait ready` waits for a devnet that does not exist yet; other conditions need its plan.
      if (wait.condition.kind !== 'ready' || !mayComeYet(error) || wasUp) throw error;
      description = error.message;
    }
    if (waited >= wait.timeoutMs)
      return { code: EXIT.notReady, description: `timed out after ${wait.timeoutMs / 1000} s: ${description}` };
    const at = plan && wait.condition.kind !== 'ready' ? await wait.advance?.(plan) : undefined;
    if (at === undefined) {
      await sleep(pause);
      waited = performance.now() - start;
    } else {
      chainStart ??= at;
      waited = at - chainStart;
    }
  }
}

/** Returns whether a devnet is absent or half made, rather than not the only one. */
function mayComeYet(error: unknown): error is Failure {
  return error instanceof Failure && (error.code === 'state' || error.data['absent'] === true);
}

async function lacking({ condition, node, confirm }: Wait, phase: Phase, plan: Plan): Promise<string | undefined> {
  // The file may be out of date: the disk may be full, or the supervisor frozen. It tells that a start is not over.
  if (condition.kind === 'ready' && phase !== 'ready' && phase !== 'degraded') return `it is ${phase}`;
  return missingIn(plan, condition, node, confirm);
}

/** Describes what a network still lacks for a condition; undefined if it holds. @throws Failure `usage` (exit 2) */
export async function missingIn(
  plan: Plan,
  condition: Condition,
  node: string | undefined,
  confirm: Wait['confirm'],
): Promise<string | undefined> {
  const all = plan.network.chains.flatMap((chain) => chain.nodes.map((view) => ({ chain, view })));
  const nodes = all.filter(
    ({ chain, view: { name } }) => node === undefined || node === name || node === `${chain.name}/${name}`,
  );
  if (nodes.length === 0)
    throw new Failure(
      'usage',
      `unknown node ${node}; expected one of ${plan.network.chains.flatMap(namesOf).join(', ')}`,
      {
        exit: EXIT.usage,
      },
    );
  if (condition.kind === 'ready') {
    const now = await confirm();
    return now.phase === 'ready' ? undefined : [`it is ${now.phase}`, ...now.problems.map(problemLine)].join('\n  ');
  }
  if (condition.kind === 'fork') {
    const { fork } = condition;
    const without = nodes.filter(({ chain, view }) => activationOf(fork, chain, view) === null);
    if (without.length > 0) throw neverActivates(fork, all, without);
  }
  const open = await Promise.all(
    nodes.map(async ({ chain, view }) => {
      const lacks = missing(condition, chain, view, await headsAt(view.el.http));
      return lacks === undefined ? [] : [`${chain.name}/${view.name}: ${lacks}`];
    }),
  );
  const lines = open.flat();
  return lines.length === 0 ? undefined : lines.join('; ');
}

interface Place {
  readonly chain: ChainView;
  readonly view: NodeView;
}

const namesOf = ({ nodes }: ChainView) => nodes.map(({ name }) => name);

/** Builds the failure for a fork that never activates on some nodes. `all`: the nodes of the network. */
function neverActivates(fork: string, all: readonly Place[], without: readonly Place[]): Failure {
  const forks = new Set(
    all.flatMap(({ chain, view }) =>
      Object.keys({ ...chain.forks, ...view.overrides }).filter((each) => activationOf(each, chain, view) !== null),
    ),
  );
  if (!forks.has(fork))
    return new Failure('usage', `${fork} never activates on this devnet`, {
      exit: EXIT.usage,
      hint: `forks with an activation time: ${[...forks].join(', ')}`,
    });
  const names = without.map(({ chain, view }) => `${chain.name}/${view.name}`);
  const other = all.find(({ chain, view }) => activationOf(fork, chain, view) !== null);
  return new Failure('usage', `${fork} never activates on ${names.join(', ')}`, {
    exit: EXIT.usage,
    ...(other && {
      hint: `wait on another node: \`devnet wait fork:${fork} @${other.chain.name}/${other.view.name}\``,
    }),
  });
}
