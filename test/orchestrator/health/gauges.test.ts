import { describe, expect, it } from 'vitest';
import { healthFacts } from '../../../src/orchestrator/health/facts.ts';
import { chainGauges } from '../../../src/orchestrator/health/gauges.ts';
import type { Plan, Task } from '../../../src/orchestrator/plan/plan.ts';
import { present } from '../../../src/protocol/present.ts';
import { quickPlanOf } from '../plan/planned.ts';

const L1 = 'l1, l1 head, l1-beacon';
const SOURCE = 's/el, s/cl, s/cl unsafe';
const BATCHES = 'batcher, batcher posts';

/** The plan with changed tasks. */
const withTasks = (plan: Plan, change: (task: Task) => Task): Plan => ({ ...plan, tasks: plan.tasks.map(change) });

/** Each gauge of the plan as text: what it is, how often it moves, and what explains its standstill. */
function gaugesOf(plan: Plan): Readonly<Record<string, string>> {
  const short = (text: string) => text.replaceAll('main/', '');
  return Object.fromEntries(
    healthFacts(plan).gauges.map(({ id, subject, interval, pace, after, causes }) => {
      expect(id.startsWith(`${subject} `)).toBe(true);
      const follows = after === undefined ? '' : ` after ${short(after)}`;
      return [short(id), `${pace} ${interval}${follows}: ${short(causes.join(', '))}`];
    }),
  );
}

const WHOLE = quickPlanOf(
  'chains: { main: { proposer: { interval: 12 }, ' +
    'nodes: { s: { role: sequencer }, v: {}, light: { cl: { follow: s } } } } }',
);

describe('the gauges of a network', () => {
  it('have the intervals of their configuration and the causes of a standstill, the first one first', () => {
    const verifier = (name: string, followed = '') => {
      const l1 = `${name}/el, ${L1}${followed}`;
      const derived = `${l1}, ${name}/cl derivation, ${BATCHES}, ${SOURCE}`;
      return {
        [`${name}/cl unsafe`]: `least 2000: ${name}/el, ${SOURCE}, ${L1}`,
        [`${name}/el head`]: `least 2000: ${name}/cl, ${name}/cl unsafe`,
        [`${name}/cl derivation`]: `least 2000: ${l1}`,
        [`${name}/cl safe`]: `least 2000: ${derived}`,
        [`${name}/cl finalized`]: `least 2000: ${name}/cl safe, ${derived}`,
      };
    };
    expect(gaugesOf(WHOLE)).toEqual({
      'l1 head': 'fixed 2000: l1-beacon',
      'l1-beacon slot': 'fixed 2000: l1, l1 head',
      'batcher posts': `least 2000: ${L1}, ${SOURCE}`,
      'proposer posts': `least 12000 after s/cl safe: ${L1}, ${SOURCE}, ${BATCHES}`,
      ...verifier('s'),
      's/cl unsafe': `fixed 2000: s/el, ${L1}`,
      's/el head': 'fixed 2000: s/cl, s/cl unsafe',
      's/cl origin': `fixed 2000: s/el, s/cl unsafe, ${L1}`,
      ...verifier('v'),
      ...verifier('light', ', s/cl, s/cl derivation'),
    });
  });

  it('say what has stopped, and where', () => {
    const said = healthFacts(WHOLE).gauges.map((gauge) => [gauge.id, gauge.description({ number: 5 })] as const);
    expect(Object.fromEntries(said.filter(([id]) => !/verifier|light|\/v\//.test(id)))).toEqual({
      'l1 head': 'produces no block after 5',
      'l1-beacon slot': 'its head has stopped at slot 5',
      'main/batcher posts': 'sends no transaction to L1: the nonce of its account stays at 5',
      'main/proposer posts': 'sends no transaction to L1: the nonce of its account stays at 5',
      'main/s/cl unsafe': 'unsafe head has stopped at block 5',
      'main/s/el head': 'its head has stopped at block 5',
      'main/s/cl origin': 'the L1 origin of its blocks has stopped at 5',
      'main/s/cl derivation': 'derivation has stopped at L1 block 5',
      'main/s/cl safe': 'safe head has stopped at block 5',
      'main/s/cl finalized': 'finalized head has stopped at block 5',
    });
  });

  it('gauges of a node without gossip move with its safe head, and without a batcher it has none', () => {
    const nodes = 'nodes: { s: { role: sequencer }, alone: { peers: [] } }';
    const causes = `alone/el, ${L1}, alone/cl derivation, ${BATCHES}, ${SOURCE}`;
    expect(gaugesOf(quickPlanOf(`chains: { main: { ${nodes} } }`))).toMatchObject({
      'alone/cl unsafe': `least 2000: ${causes}`,
      'alone/el head': 'least 2000: alone/cl, alone/cl unsafe',
      'alone/cl safe': `least 2000: ${causes}`,
    });
    const without = gaugesOf(quickPlanOf(`chains: { main: { batcher: false, ${nodes} } }`));
    expect(Object.keys(without).filter((id) => id.startsWith('alone/'))).toEqual(['alone/cl derivation']);
    expect(Object.keys(without).filter((id) => id.startsWith('s/'))).toEqual([
      ...['s/cl unsafe', 's/el head', 's/cl origin', 's/cl derivation'],
    ]);
    expect(without['proposer posts']).toBe(`least 4000 after s/cl safe: ${L1}, ${SOURCE}`);
  });

  it('gauges of a set of sequencers have the conductor as the source of blocks', () => {
    const set = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';
    expect(gaugesOf(quickPlanOf(set))).toMatchObject({
      'batcher posts': `least 2000: ${L1}, conductor`,
      's-2/cl unsafe': `fixed 2000: s-2/el, conductor, ${L1}`,
      'v/cl unsafe': `least 2000: v/el, conductor, ${L1}`,
      'v/cl safe': `least 2000: v/el, ${L1}, v/cl derivation, ${BATCHES}, conductor`,
    });
  });

  it('that a poster does not configure are learnt, at least an L1 block', () => {
    const plan = quickPlanOf(
      'l1: { blockTime: 6 }\nchains: { main: { batcher: { args: { max-channel-duration: 0 } } } }',
    );
    expect(gaugesOf(plan)).toMatchObject({
      'batcher posts': expect.stringMatching(/^learnt 6000:/),
      'sequencer/cl safe': expect.stringMatching(/^learnt 6000:/),
    });
  });

  it('are slower than an L1 block where a block, a poster or the reads of L1 are', () => {
    const plan = quickPlanOf('{}');
    const chains = plan.network.chains.map((chain) => ({ ...chain, blockTime: 8 }));
    const slow = { ...plan, network: { ...plan.network, chains } };
    expect(gaugesOf(slow)).toMatchObject({
      'sequencer/cl unsafe': expect.stringMatching(/^fixed 8000:/),
      'sequencer/cl origin': expect.stringMatching(/^fixed 8000:/),
      'verifier/cl derivation': expect.stringMatching(/^least 8000:/),
    });
    const polls = withTasks(slow, (task) => ({
      ...task,
      ...(task.id === 'main/verifier/cl' ? { polls: { l1HeadMs: 12_000, l1FinalityMs: 60_000 } } : {}),
      ...(task.id === 'main/batcher' ? { paceMs: 30_000 } : {}),
    }));
    expect(gaugesOf(polls)).toMatchObject({
      'batcher posts': expect.stringMatching(/^least 30000:/),
      'sequencer/cl safe': expect.stringMatching(/^least 30000:/),
      'sequencer/cl finalized': expect.stringMatching(/^least 30000:/),
      'sequencer/cl derivation': expect.stringMatching(/^least 8000:/),
      'verifier/cl derivation': expect.stringMatching(/^least 12000:/),
      'verifier/cl finalized': expect.stringMatching(/^least 60000:/),
    });
  });

  it('gauges of a proposer follow the finalized head when it posts finalized blocks', () => {
    const plan = withTasks(WHOLE, (task) => (task.id === 'main/proposer' ? { ...task, postsFinalized: true } : task));
    expect(gaugesOf(plan)['proposer posts']).toContain('after s/cl finalized:');
  });

  it('are none of a chain without a sequencer', () => {
    const chain = present(WHOLE.network.chains[0], 'chain');
    expect(chainGauges(WHOLE, { ...chain, nodes: chain.nodes.slice(1) })).toEqual([]);
  });
});
