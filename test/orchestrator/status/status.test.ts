import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { NO_FAULTS } from '../../../src/orchestrator/state/faults.ts';
import { STATE_SCHEMA, type State, type TaskPhase } from '../../../src/orchestrator/state/state.ts';
import { NO_HEADS } from '../../../src/orchestrator/status/heads.ts';
import { statusDocument, worse } from '../../../src/orchestrator/status/status.ts';
import { present } from '../../../src/protocol/present.ts';
import { quickPlanOf } from '../plan/planned.ts';

const NOW = 1_700_000_100_000;
const process = { pid: 7, started: '1', boot: 'b' };
const PLAN = quickPlanOf(
  'chains: { main: { nodes: { s: { role: sequencer }, v: { el: { args: { gcmode: full } } } } } }',
);
const [problem] = [{ subject: 'l1', what: 'stands', since: 1, because: null }];

const stateOf = (changes: Partial<State> = {}): State => ({
  ...{ schema: STATE_SCHEMA, name: 'a', phase: 'degraded', supervisor: process, startedAt: 5, stamps: { parsed: 6 } },
  ...{ tasks: {}, orphans: [], clock: { at: NOW, wall: NOW, rate: 1 }, problems: [problem] },
  ...changes,
});
const statusOf = (
  changes: Partial<State> = {},
  { plan = PLAN, running = true, dashboards = [] as readonly string[] } = {},
) => statusDocument(plan, stateOf(changes), running, new Map(), dashboards);
const chainOf = (status: ReturnType<typeof statusOf>) => present(status.chains[0], 'chain');

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the status of a network', () => {
  it('has the facts of the plan and of the state', () => {
    const { l1, chains, ...rest } = statusOf();
    expect(rest).toEqual({
      ...{ name: PLAN.devnet, phase: 'degraded', problems: [problem], reports: [], faults: NO_FAULTS },
      ...{ stamps: { parsed: 6 }, folder: PLAN.home, supervisor: 7, startedAt: 5, offsetMs: 0 },
      ...{ clock: { at: NOW, wall: NOW, rate: 1 }, endsAt: null, failure: null },
      ...{ dashboard: PLAN.dashboard?.url ?? null, dashboardEnd: null, traces: null },
    });
    const { rpc, ws, beacon, chainId, contracts } = PLAN.network.l1;
    expect(l1).toEqual({ rpc, ws, beacon, chainId, contracts, phase: 'waiting', version: null });
    expect(chains.map(({ name }) => name)).toEqual(['main']);
  });

  it('has reports, faults, traces and the end only where the state has them', () => {
    const reports = [{ chain: 'main', block: 4, nodes: ['v'], path: '/r', lines: [] }];
    const faults = { ...NO_FAULTS, partitions: [{ id: '1', since: 1, groups: [['main/v'], ['main/s']] }] };
    const [traces, endsAt] = [problem, NOW + 1];
    expect(statusOf({ reports, faults, traces, endsAt })).toMatchObject({ reports, faults, traces, endsAt });
    expect(statusOf({ reports, faults, traces, endsAt }, { running: false })).toMatchObject({
      ...{ reports, faults: NO_FAULTS, traces: null, endsAt, supervisor: null },
    });
    const failure = {
      task: 'l1',
      client: 'anvil',
      reason: 'exited',
      what: 'x',
      lastLines: [],
      takenPorts: [],
      exit: 1,
    } as const;
    expect(statusOf({ failure }).failure).toEqual(failure);
  });

  it.each<[offset: number, name: string, state: Partial<State>, running: boolean]>([
    [6000, 'runs', { clock: { at: NOW + 3000, wall: NOW - 1000, rate: 3 } }, true],
    [
      6000,
      'runs, whenever it was stopped before',
      { clock: { at: NOW, wall: NOW - 2000, rate: 3 }, pausedAt: 1 },
      true,
    ],
    [1000, 'was stopped', { clock: { at: NOW - 1000, wall: NOW - 2000, rate: 1 }, pausedAt: NOW - 500 }, false],
    [2000, 'was stopped at a faster clock', { clock: { at: NOW, wall: NOW, rate: 3 }, pausedAt: NOW + 1000 }, false],
    [6000, 'has ended without a moment', { clock: { at: NOW, wall: NOW - 2000, rate: 3 } }, false],
    [1, 'has a fraction of a millisecond', { clock: { at: NOW + 0.6, wall: NOW, rate: 1 } }, true],
  ])('has a clock that is %i ms ahead when it %s', (offset, _, state, running) => {
    expect(statusOf(state, { running }).offsetMs).toBe(offset);
  });

  const command = { argv: [], cwd: '/', env: {} };
  const served: Plan = { ...PLAN, dashboard: { url: 'http://spec', port: 1, command, log: '/log' } };
  it.each<
    [dashboard: string | null, end: string | null, state: Partial<State>, options: Parameters<typeof statusOf>[1]]
  >([
    ['http://spec', null, {}, { plan: served, dashboards: ['http://other'] }],
    ['http://other', null, {}, { plan: served, dashboards: ['http://other'], running: false }],
    [
      'http://other',
      'exit 1',
      { dashboardEnd: 'exit 1' },
      { plan: served, dashboards: ['http://other', 'http://more'] },
    ],
    [null, 'exit 1', { dashboardEnd: 'exit 1' }, { plan: served }],
    [null, null, { dashboardEnd: 'exit 1' }, { plan: served, running: false }],
  ])('has the dashboard %s and the end %s of the one of the spec: %j', (dashboard, dashboardEnd, state, options) => {
    expect(statusOf(state, options)).toMatchObject({ dashboard, dashboardEnd });
  });

  it('has the worse phase of L1 and its beacon, and the version of L1', () => {
    const tasks = {
      l1: { phase: 'ready', restarts: 0, version: '1.0' },
      'l1-beacon': { phase: 'failed', restarts: 0 },
    } as const;
    expect(statusOf({ tasks }).l1).toMatchObject({ phase: 'failed', version: '1.0' });
    expect(
      statusOf({ tasks: { ...tasks, l1: { phase: 'failed', restarts: 0 }, 'l1-beacon': tasks.l1 } }).l1,
    ).toMatchObject({
      ...{ phase: 'failed', version: null },
    });
  });
});

describe('the status of a chain', () => {
  const view = present(PLAN.network.chains[0], 'chain');

  it('has the facts of its plan without keys, its leader and the services that it has', () => {
    const chain = chainOf(statusOf());
    const { name, chainId, genesisHash, contracts, forks } = view;
    expect(chain).toMatchObject({ name, chainId, genesisHash, contracts, forks, leader: null });
    expect(chain.accounts).toEqual(view.accounts.map(({ privateKey: _, ...account }) => account));
    expect(view.accounts.some(({ privateKey }) => privateKey !== undefined)).toBe(true);
    expect(statusDocument(PLAN, stateOf(), true, new Map(), [], new Map([['main', 's']])).chains[0]?.leader).toBe('s');
    expect(chain.nodes.map(({ role, overrides }) => ({ role, overrides }))).toEqual(
      view.nodes.map(({ role, overrides }) => ({ role, overrides })),
    );
  });

  it.each(['batcher', 'proposer', 'challenger', 'signer', 'daServer', 'conductor'] as const)(
    'has its %s with the address, or null',
    (service) => {
      const statusWith = (poster: { task: string; rpc?: string } | undefined) => {
        const chains = [{ ...view, [service]: poster }];
        return chainOf(statusOf({}, { plan: { ...PLAN, network: { ...PLAN.network, chains } } }))[service];
      };
      expect(statusWith(undefined)).toBeNull();
      expect(statusWith({ task: 'main/it', rpc: 'http://it' })).toMatchObject({ task: 'main/it', rpc: 'http://it' });
      expect(statusWith({ task: 'main/it' })).not.toHaveProperty('rpc');
    },
  );

  it('has its nodes with the addresses, the worse phase of both programs and their heads', () => {
    const tasks = {
      'main/s/el': { phase: 'ready', restarts: 0 },
      'main/s/cl': { phase: 'starting', restarts: 0 },
      'main/v/el': { phase: 'failed', restarts: 0 },
      'main/v/cl': { phase: 'ready', restarts: 0 },
    } as const;
    const heads = { unsafe: { number: 4, hash: '0x04', time: 9 }, safe: null, finalized: null };
    const { chains } = statusDocument(PLAN, stateOf({ tasks }), true, new Map([['main/v', heads]]));
    const nodes = present(chains[0], 'chain').nodes;
    expect(nodes.map(({ name, phase, heads, conductor }) => [name, phase, heads, conductor])).toEqual([
      ['s', 'starting', NO_HEADS, null],
      ['v', 'failed', heads, null],
    ]);
    for (const [index, { el, cl }] of nodes.entries()) {
      const planned = present(view.nodes[index], 'node');
      const { implementation: _, ...execution } = planned.el;
      const { implementation: __, ...rollup } = planned.cl;
      expect(el).toMatchObject(execution);
      expect(cl).toMatchObject(rollup);
    }
    expect(nodes[1]?.el.args).toEqual({ gcmode: 'full' });
    expect(nodes[1]?.cl.args).toEqual({});
  });
});

describe('the status of a process', () => {
  const task = { phase: 'ready', process, container: 'c', restarts: 2, detail: 'd', version: '1.0' } as const;
  const state = { tasks: { 'main/batcher': task }, skews: { 'main/batcher': -500 } };
  const batcherOf = (changes: Partial<State>, running: boolean) => chainOf(statusOf(changes, { running })).batcher;
  const same = { task: 'main/batcher', args: {}, rpc: expect.any(String) };

  it('has what the state knows while the network runs', () => {
    expect(batcherOf(state, true)).toEqual({
      ...{ ...same, phase: 'ready', pid: 7, container: 'c', restarts: 2, skewMs: -500, detail: 'd', version: '1.0' },
    });
  });

  it('has what remains true once the network has ended', () => {
    expect(batcherOf(state, false)).toEqual({
      ...{ ...same, phase: 'stopped', pid: null, restarts: 2, skewMs: 0, detail: 'd', version: '1.0' },
    });
  });

  it('has no process before it was started', () => {
    const none = { pid: null, restarts: 0, skewMs: 0, detail: null, version: null };
    expect(batcherOf({}, true)).toEqual({ ...same, ...none, phase: 'waiting' });
    expect(batcherOf({}, false)).toEqual({ ...same, ...none, phase: 'stopped' });
  });
});

it('a phase is worse the sooner a user must see it', () => {
  const phases: readonly TaskPhase[] = [
    ...(['failed', 'blocked', 'stopped', 'paused', 'stopping', 'restarting'] as const),
    ...(['unhealthy', 'waiting', 'manual', 'preparing', 'starting', 'ready'] as const),
  ];
  for (const [index, phase] of phases.entries())
    for (const better of phases.slice(index)) {
      expect(worse(phase, better)).toBe(phase);
      expect(worse(better, phase)).toBe(phase);
    }
});
