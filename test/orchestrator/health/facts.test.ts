import { describe, expect, it } from 'vitest';
import { healthFacts } from '../../../src/orchestrator/health/facts.ts';
import type { ChainView, Plan, Task } from '../../../src/orchestrator/plan/plan.ts';
import { present } from '../../../src/protocol/present.ts';
import { quickPlanOf } from '../plan/planned.ts';

const PLAN = quickPlanOf('{}');
const CHAIN = present(PLAN.network.chains[0], 'chain');

/** The facts of the plan with changes of its chain and its tasks. */
function factsWith(
  { chain = {}, task = (each) => each }: { chain?: Partial<ChainView>; task?: (task: Task) => Task | readonly Task[] },
  plan: Plan = PLAN,
) {
  const chains = plan.network.chains.map((each) => ({ ...each, ...chain }));
  return healthFacts({ ...plan, tasks: plan.tasks.flatMap(task), network: { ...plan.network, chains } });
}

describe('the sources of health', () => {
  it('are the endpoints of L1 and the nodes, and the probes of all other tasks', () => {
    const { l1 } = PLAN.network;
    const endpoints = [
      ['l1', 'l1', l1.direct.rpc],
      ['l1-beacon', 'beacon', l1.beacon],
      ...CHAIN.nodes.flatMap(({ el, cl }) => [
        [el.task, 'el', el.http],
        [cl.task, 'cl', cl.rpc],
      ]),
    ];
    expect(healthFacts(PLAN).sources.map(({ task, kind, url }) => [task, kind, url])).toEqual([
      ...endpoints,
      ['main/batcher', 'probes', ''],
      ['main/proposer', 'probes', ''],
    ]);
  });

  it('have no endpoint of a task that the plan lacks, and no gauge of L1 then', () => {
    const { sources, gauges } = factsWith({ task: (task) => (task.id === 'l1' ? [] : [task]) });
    expect(sources.map(({ task }) => task)).not.toContain('l1');
    expect(gauges.map(({ id }) => id)).not.toContain('l1 head');
    expect(gauges.map(({ id }) => id)).toContain('l1-beacon slot');
  });
});

it('the disk, then the tasks that a task needs, explain that it is down', () => {
  const needs = [
    { task: 'l1', until: 'ready' as const },
    { task: 'l1-beacon', until: 'spawned' as const },
  ];
  const { taskCauses } = factsWith({ task: (task) => (task.id === 'main/batcher' ? { ...task, needs } : task) });
  expect(taskCauses['main/batcher']).toEqual(['disk', 'l1', 'l1-beacon']);
  expect(taskCauses['l1']).toEqual(['disk']);
});

describe('the posters of a chain', () => {
  const addressOf = (role: string) => CHAIN.accounts.find((each) => each.role === role)?.address;

  it('are its batcher and its proposer by the addresses of their roles', () => {
    expect(healthFacts(PLAN).posters).toEqual([
      { task: 'main/batcher', address: addressOf('batcher') },
      { task: 'main/proposer', address: addressOf('proposer') },
    ]);
  });

  it.each<[name: string, chain: Partial<ChainView>]>([
    ['that it lacks', { batcher: undefined as never }],
    ['whose account is unknown', { accounts: CHAIN.accounts.filter(({ role }) => role !== 'batcher') }],
  ])('are none %s', (_, chain) => {
    expect(factsWith({ chain }).posters.map(({ task }) => task)).toEqual(['main/proposer']);
  });
});

describe('the outputs of a proposer', () => {
  const [L2OutputOracle, DisputeGameFactory] = ['0x01', '0x02'] as const;
  const contractsOf = (l1: ChainView['contracts']['l1']) =>
    factsWith({ chain: { contracts: { ...CHAIN.contracts, l1 } } }).outputContracts;
  const id = 'main/proposer outputs';

  it('are read from the dispute games, else from the oracle', () => {
    expect(contractsOf({ L2OutputOracle })).toEqual([{ id, system: 'output-oracle', address: '0x01' }]);
    expect(contractsOf({ L2OutputOracle, DisputeGameFactory })).toEqual([
      { id, system: 'dispute-games', address: '0x02' },
    ]);
    expect(contractsOf({})).toEqual([]);
  });

  it('are none without a proposer', () => {
    const { outputContracts, outputHeads } = factsWith({ chain: { proposer: undefined as never } });
    expect([outputContracts, outputHeads]).toEqual([[], []]);
  });

  it.each<[spec: string, allowed: number, interval: number]>([
    // An interval, four L1 blocks and 5 s, in L2 blocks.
    ['chains: { main: { proposer: { interval: 12 } } }', (12 + 8 + 5 + 1) / 2, 12_000],
    ['l1: { blockTime: 12 }\nchains: { main: { blockTime: 1, proposer: { interval: 12 } } }', 12 + 48 + 5, 12_000],
    ['time: { rate: 4 }\nchains: { main: { blockTime: 1, proposer: { interval: 12 } } }', 12 + 8 + 20, 12_000],
    ['time: { rate: 0.5 }\nchains: { main: { blockTime: 1, proposer: { interval: 12 } } }', 12 + 8 + 5, 24_000],
  ])('of %j may be %i blocks behind, with %i ms between two', (spec, allowed, interval) => {
    const causes = ['l1', 'l1 head', 'l1-beacon', 'main/sequencer/el', 'main/sequencer/cl', 'main/sequencer/cl unsafe'];
    expect(healthFacts(quickPlanOf(spec)).outputHeads).toEqual([
      {
        ...{ id, subject: 'main/proposer', follows: 'main/sequencer/cl safe', allowed, interval },
        causes: [...causes, 'main/batcher', 'main/batcher posts'],
      },
    ]);
  });
});

describe('the heads that follow the clock', () => {
  const l1 = { gauge: 'l1 head', blockMs: 2000, interval: 2000, rate: 1, move: 0, notAhead: true };
  const l2 = { ...l1, gauge: 'main/sequencer/cl unsafe', notAhead: false };

  it.each<[spec: string, heads: readonly (typeof l1)[]]>([
    ['{}', [l1, l2]],
    [
      'l1: { blockTime: 6 }\nchains: { main: { blockTime: 1 } }',
      [
        { ...l1, blockMs: 6000, interval: 6000 },
        { ...l2, blockMs: 1000, interval: 1000 },
      ],
    ],
    [
      'time: { rate: 4 }',
      [
        { ...l1, rate: 4 },
        { ...l2, rate: 4 },
      ],
    ],
    [
      'time: { rate: 0.5 }',
      [
        { ...l1, interval: 4000 },
        { ...l2, interval: 4000 },
      ],
    ],
    ['time: { clock: stepped }', [l1, l2]],
    [
      'time: { clock: instant }\nl1: { blockTime: 6 }',
      [
        { ...l1, blockMs: 6000, interval: 6000, move: 6000 },
        { ...l2, move: 6000 },
      ],
    ],
  ])('are those of L1 and the sequencer, in %j', (spec, heads) => {
    expect(healthFacts(quickPlanOf(spec)).clockHeads).toEqual(heads);
  });

  it('may be behind by a block of the slowest chain on an instant clock', () => {
    const instant = { ...PLAN, time: { clock: 'instant' as const, rate: 1 } };
    expect(factsWith({ chain: { blockTime: 5 } }, instant).clockHeads.map(({ move }) => move)).toEqual([5000, 5000]);
  });

  it('have their own pace on a clock that is moved in steps', () => {
    const stepped = { ...PLAN, time: { clock: 'stepped' as const, rate: 4 } };
    expect(healthFacts(stepped).clockHeads).toEqual([l1, l2]);
    expect(healthFacts({ ...stepped, time: { clock: 'stepped', rate: 0.5 } }).gauges[0]?.interval).toBe(2000);
  });

  it('are none whose task has another clock', () => {
    const wall = (id: string) =>
      factsWith({ task: (task) => (task.id === id ? { ...task, clock: 'wall' } : task) }).clockHeads;
    expect(wall('l1-beacon')).toEqual([l2]);
    expect(wall('main/sequencer/cl')).toEqual([l1]);
    expect(wall('main/verifier/cl')).toEqual([l1, l2]);
  });
});
