import { messageOf } from '../../system/failure.ts';
import type { PosterKind } from '../change/poster.ts';
import { tasksOf } from '../devnet/targets.ts';
import type { Plan } from '../plan/plan.ts';
import type { Path } from '../spec/schema/json.ts';
import { nearest } from '../spec/text/nearest.ts';
import { chainNamed, nodesNamed } from './places.ts';

/** What a step's checks know before the start, and how they report. */
export interface Facts {
  /** The plan that the start will follow, with other ports and with what earlier steps change of its nodes. */
  readonly plan: Plan;
  /** What earlier steps have reached. */
  readonly timeline: Timeline;
  /** Says how the plan is after this step: later steps are checked against it. */
  become(plan: Plan): void;
  /** Reports a problem at a path below the step's value. */
  report(
    path: Path,
    message: string,
    more?: { readonly allowed?: string; readonly nearest?: string | undefined },
  ): void;
}

/** What the steps so far have brought about. */
export interface Timeline {
  /** Lower bounds of heights, by chain: the block that every node has reached. */
  readonly reached: Map<string, number>;
  /** Forks whose times a step changes, as `<chain> <fork>`. The plan no longer says when they activate. */
  readonly movedForks: Set<string>;
}

/** Reports a node that the devnet does not have. Returns whether it has it. */
export function knowsNode({ plan, report }: Facts, path: Path, word: string | undefined): boolean {
  if (word === undefined || nodesNamed(plan, word).length > 0) return true;
  const names = plan.network.chains.flatMap((chain) => chain.nodes.map(({ name }) => name));
  report(path, `the devnet has no node "${word}"`, {
    allowed: [...new Set(names)].join(', '),
    nearest: nearest(word.replace(/^.*\//, ''), names),
  });
  return false;
}

/** Reports a chain that the devnet does not have. Returns whether it has it. */
export function knowsChain({ plan, report }: Facts, path: Path, word: string | undefined): boolean {
  if (chainNamed(plan, word) !== undefined) return true;
  const names = plan.network.chains.map(({ name }) => name);
  report(path, `the devnet has no chain "${word}"`, {
    allowed: names.join(', '),
    nearest: nearest(word ?? '', names),
  });
  return false;
}

/** Reports a word that names no process of the devnet. Returns whether it names one. */
export function knowsProcess({ plan, report }: Facts, path: Path, word: string): boolean {
  try {
    tasksOf(plan, word);
    return true;
  } catch (error) {
    const ids = plan.tasks.map(({ id }) => id);
    const nodes = nodesNamed(plan, undefined).map(({ node }) => node.name);
    report(path, messageOf(error), { allowed: ids.join(', '), nearest: nearest(word, [...nodes, ...ids]) });
    return false;
  }
}

/** Reports a word that names processes which devnet does not start. Returns whether it starts one of them. */
export function runsHere(facts: Facts, path: Path, word: string): boolean {
  if (!knowsProcess(facts, path, word)) return false;
  const { tasks } = facts.plan;
  if (tasksOf(facts.plan, word).some(({ launch }) => launch !== 'external')) return true;
  const here = tasks.filter(({ launch }) => launch !== 'external').map(({ id }) => id);
  facts.report(path, `${word} is not started by devnet: it runs elsewhere`, {
    allowed: here.length === 0 ? 'none: no process of this network runs here' : here.join(', '),
  });
  return false;
}

/** Reports an account that the chain does not have. */
export function knowsSender(facts: Facts, path: Path, chain: string | undefined, index: number): boolean {
  const view = chainNamed(facts.plan, chain);
  const count = view?.accounts.filter(({ role, privateKey }) => role === undefined && privateKey).length ?? 0;
  if (view === undefined || index < count) return true;
  facts.report(path, `${view.name} has no account ${index}`, {
    allowed: count === 0 ? 'none: it has no accounts with known keys' : `0 to ${count - 1}`,
  });
  return false;
}

/**
 * Reports a chain that is unknown, has no such process, or one that the devnet does not run. Returns whether the devnet
 * has the chain.
 */
export function knowsPoster(facts: Facts, kind: PosterKind, name: string | undefined): boolean {
  if (!knowsChain(facts, ['chain'], name)) return false;
  const chain = chainNamed(facts.plan, name);
  const poster = chain?.[kind];
  if (poster === undefined) facts.report([], `${chain?.name} has no ${kind}`, { allowed: 'a chain with one' });
  else runsHere(facts, [], poster.task);
  return true;
}
