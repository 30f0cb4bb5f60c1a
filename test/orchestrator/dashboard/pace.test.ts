import { afterAll, beforeAll, expect, it } from 'vitest';
import { paceOf } from '../../../src/orchestrator/dashboard/pace.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { planOf } from '../plan/planned.ts';
import { type AnsweringNode, answeringNode } from './rpc-answers.ts';

const HEAD = 40;
let node: AnsweringNode;

/** A chain whose blocks have two seconds and three transactions each. */
function answer(method: string, [at]: readonly unknown[]): unknown {
  if (method === 'eth_blockNumber') return `0x${HEAD.toString(16)}`;
  const number = Number(at);
  return {
    ...{ number: at, hash: '0x', timestamp: `0x${(1000 + number * 2).toString(16)}`, transactions: ['', '', ''] },
    ...{ gasUsed: '0x64', gasLimit: '0x3e8', baseFeePerGas: '0x7' },
  };
}

beforeAll(async () => {
  node = await answeringNode(answer);
});
afterAll(() => node.close());

/** A plan of two chains. The sequencer of the first one is the node above, that of the second one is down. */
function planWithNode(): Plan {
  const plan = planOf('{ chains: { one: { blockTime: 1 }, two: {} } }');
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((each) => {
      const http = chain.name === 'one' ? node.url : 'http://127.0.0.1:1';
      return { ...each, el: { ...each.el, http } };
    }),
  }));
  return { ...plan, network: { ...plan.network, chains } };
}

it('the pace of a chain has its seen and its planned block time, and what the newest block used', async () => {
  expect(await paceOf(planWithNode())).toEqual([
    {
      ...{ chain: 'one', seconds: 2, plannedSeconds: 1, gasUsed: 100, gasLimit: 1000, baseFee: '7' },
      transactions: 3,
    },
  ]);
});
