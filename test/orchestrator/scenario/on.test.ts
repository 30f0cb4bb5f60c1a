import { expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { targetOf } from '../../../src/orchestrator/scenario/on.ts';
import { twoChains } from './read/two-chains.ts';

const L1 = 'http://l1';

/** Two chains whose nodes have URLs with their names. The sequencer of the first is its second node. */
function planned(): Plan {
  const plan = twoChains();
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => ({
      ...node,
      role: node.name === 'a' ? ('verifier' as const) : ('sequencer' as const),
      el: { ...node.el, http: `http://${node.name}` },
    })),
  }));
  return { ...plan, network: { ...plan.network, l1: { ...plan.network.l1, direct: { rpc: L1, ws: '' } }, chains } };
}

it.each([
  [undefined, 'http://b', 'main'],
  ['l1', L1, 'main'],
  ['a', 'http://a', 'main'],
  ['main/b', 'http://b', 'main'],
  ['c', 'http://c', 'other'],
])('the target %s is the client at %s, with the accounts of %s', (word, url, chain) => {
  const target = targetOf(planned(), word);
  expect([target.url, target.chain.name]).toEqual([url, chain]);
});

it.each([undefined, 'l1', 'a'])('the target %s is none without a chain', (word) => {
  const plan = planned();
  expect(() => targetOf({ ...plan, network: { ...plan.network, chains: [] } }, word)).toThrow('the plan has no chain');
});
