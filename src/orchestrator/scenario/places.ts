import type { PosterKind } from '../change/poster.ts';
import { tasksOf } from '../devnet/targets.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';

/** A node and its chain. */
export interface Place {
  readonly chain: ChainView;
  readonly node: NodeView;
}

/** Finds the nodes that a word names: NAME or CHAIN/NAME; all without a word. */
export function nodesNamed({ network }: Pick<Plan, 'network'>, word: string | undefined): readonly Place[] {
  return network.chains
    .flatMap((chain) => chain.nodes.map((node) => ({ chain, node })))
    .filter(({ chain, node }) => word === undefined || word === node.name || word === nameOf({ chain, node }));
}

/** Returns `<chain>/<node>`. */
export function nameOf({ chain, node }: Place): string {
  return `${chain.name}/${node.name}`;
}

/** Finds the nodes that run one of the tasks which a word names. */
export function nodesOf(plan: Plan, word: string): readonly Place[] {
  const ids = tasksOf(plan, word).map(({ id }) => id);
  return nodesNamed(plan, undefined).filter(({ node: { el, cl } }) => ids.includes(el.task) || ids.includes(cl.task));
}

/** Finds a chain by its name; the first one without a name. */
export function chainNamed({ network }: Pick<Plan, 'network'>, name: string | undefined): ChainView | undefined {
  return network.chains.find((chain) => name === undefined || chain.name === name);
}

/** Returns the task of a chain's batcher or proposer, which the check of its step has found. */
export function posterTask(plan: Pick<Plan, 'network'>, kind: PosterKind, chain: string | undefined): string {
  return chainNamed(plan, chain)?.[kind]?.task ?? kind;
}

/** Returns the sequencer of a chain. */
export function sequencerOf(chain: ChainView): NodeView | undefined {
  return chain.nodes.find(({ role }) => role === 'sequencer') ?? chain.nodes[0];
}
