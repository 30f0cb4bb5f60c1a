import { EXIT, Failure } from '../../../system/failure.ts';
import { type Devnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import type { ChainView, NodeView } from '../../plan/plan.ts';
import { nearest } from '../../spec/text/nearest.ts';

/** A chain of a running network, and a node of it. */
export interface NodePlace {
  readonly chain: ChainView;
  readonly node: NodeView;
}

/**
 * Finds a node by NAME or CHAIN/NAME.
 * @throws Failure `target` (exit 2) with the list if there is none, `chain` if several chains fit
 */
export function nodePlace(devnet: Devnet, word: string, chainName?: string): NodePlace {
  const { plan } = viewOf(devnet);
  const { chains } = plan.network;
  const slash = word.indexOf('/');
  const name = word.slice(slash + 1);
  const chainWord = slash < 0 ? chainName : word.slice(0, slash);
  const places = chains
    .filter((chain) => chainWord === undefined || chain.name === chainWord)
    .flatMap((chain) => chain.nodes.map((node) => ({ chain, node })));
  const [only, ...others] = places.filter(({ node }) => node.name === name);
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new Failure('target', `several chains have a node ${name}: expected CHAIN/${name}`, { exit: EXIT.usage });
  // A chain that is not there is the first fault.
  if (chainWord !== undefined) chainOf(plan, chainWord);
  const names = places.map(({ node }) => node.name);
  const like = nearest(name, names);
  throw new Failure('target', `there is no node ${JSON.stringify(word)}${like ? ` (did you mean ${like}?)` : ''}`, {
    exit: EXIT.usage,
    hint: `expected one of ${places.map(({ chain, node }) => `${chain.name}/${node.name}`).join(', ')}`,
  });
}
