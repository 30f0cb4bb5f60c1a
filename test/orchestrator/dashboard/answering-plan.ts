import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { planOf } from '../plan/planned.ts';

/** An address of this machine at which nothing answers. */
const NOTHING = 'http://127.0.0.1:1';

/** The plan of two chains. The nodes of the first are at an address; the second chain and L1 are down. */
export function twoChainsAt(url: string): Plan {
  const planned = planOf('{ chains: { one: {}, two: {} } }');
  const chains = planned.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((each) => {
      return { ...each, el: { ...each.el, http: chain.name === 'one' ? url : NOTHING } };
    }),
  }));
  const l1 = { ...planned.network.l1, rpc: NOTHING };
  return { ...planned, network: { ...planned.network, l1, chains } };
}
