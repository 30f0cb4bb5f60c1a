import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { activationOf } from './forks.ts';

/** A fork whose activation time changes on a node; null: never. */
interface MovedFork {
  readonly fork: string;
  readonly was: number | null;
  readonly is: number | null;
}

export interface MovedForks {
  readonly forks: readonly MovedFork[];
  /** Unix seconds from which the rules differ from before. */
  readonly since: number;
}

/** Returns the node's fork times that differ between two plans of one network; undefined if none does. */
export function movedForks(before: Plan, after: Plan, chain: string, node: string): MovedForks | undefined {
  const [was, is] = [placeOf(before, chain, node), placeOf(after, chain, node)];
  const names = new Set([was, is].flatMap((at) => Object.keys({ ...at.chain.forks, ...at.node.overrides })));
  const forks = [...names]
    .map((fork) => ({ fork, was: activationOf(fork, was.chain, was.node), is: activationOf(fork, is.chain, is.node) }))
    .filter((moved) => moved.was !== moved.is);
  if (forks.length === 0) return undefined;
  const times = forks.flatMap((moved) => [moved.was, moved.is]).filter((time) => time !== null);
  return { forks, since: Math.min(...times) };
}

/** Finds a node of a plan with its chain. @throws Error if there is none */
export function placeOf(
  plan: Plan,
  name: string,
  node: string,
): { readonly chain: ChainView; readonly node: NodeView } {
  const chain = plan.network.chains.find((each) => each.name === name);
  const view = chain?.nodes.find((each) => each.name === node);
  if (chain === undefined || view === undefined) throw new Error(`the plan has no node ${name}/${node}`);
  return { chain, node: view };
}
