import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { activationOf } from './forks.ts';

/** A fork whose activation time on a node is changed; null: never. */
interface MovedFork {
  readonly fork: string;
  readonly was: number | null;
  readonly is: number | null;
}

export interface MovedForks {
  readonly forks: readonly MovedFork[];
  /** Unix seconds of the first moment at which other rules are in force than before. */
  readonly since: number;
}

/** The node's fork times that differ between two plans of one network; undefined where none does. */
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

/** A node of a plan with its chain. @throws Error where there is none */
export function placeOf(
  plan: Plan,
  name: string,
  node: string,
): { readonly chain: ChainView; readonly node: NodeView } {
  const chain = plan.network.chains.find((each) => each.name === name);
  const found = chain?.nodes.find((each) => each.name === node);
  if (chain === undefined || found === undefined) throw new Error(`the plan has no node ${name}/${node}`);
  return { chain, node: found };
}
