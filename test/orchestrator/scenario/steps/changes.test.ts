import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Plan, Task } from '../../../../src/orchestrator/plan/plan.ts';
import type { StepKind } from '../../../../src/orchestrator/scenario/step.ts';
import { batcher } from '../../../../src/orchestrator/scenario/steps/batcher.ts';
import { fork } from '../../../../src/orchestrator/scenario/steps/fork.ts';
import { node } from '../../../../src/orchestrator/scenario/steps/node.ts';
import { sequencer } from '../../../../src/orchestrator/scenario/steps/sequencer.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { optionOf } from '../../plan/planned.ts';
import { plannedDevnet } from '../planned-devnet.ts';
import { scriptedClient } from '../scripted-run.ts';
import { CLOCK_AT, type ServedDevnet, standingTime } from '../served-devnet.ts';

const SPEC = `chains:
  main:
    forks: { base: holocene, isthmus: +900s }
    nodes: { a: { role: sequencer }, b: {}, c: {} }`;
const BLOCK = {
  ...{ number: '0x5', hash: `0x${'ab'.repeat(32)}`, parentHash: `0x${'aa'.repeat(32)}`, transactions: [] },
  timestamp: `0x${(CLOCK_AT / 1000).toString(16)}`,
};
const HEAD = { number: 9, hash: '0xaa' };

let rollup: Server;
let execution: Server;
/** Whether the execution clients of the nodes answer: with block 5, at the time of the clock. */
let answers = false;
let devnet: ServedDevnet;
beforeAll(async () => {
  rollup = await scriptedClient((method) => ({
    result: method === 'admin_sequencerActive' ? true : { unsafe_l2: { number: 9 } },
  }));
  execution = await scriptedClient(() => (answers ? { result: BLOCK } : undefined));
  const [rpc, http] = [rollup, execution].map((each) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`);
  devnet = await plannedDevnet(SPEC, (plan) => {
    const chains = plan.network.chains.map((chain) => ({
      ...chain,
      nodes: chain.nodes.map((each) => ({ ...each, el: { ...each.el, http: http! }, cl: { ...each.cl, rpc: rpc! } })),
    }));
    return { ...plan, network: { ...plan.network, chains } };
  });
});
beforeEach(() => {
  devnet.asked.length = 0;
  answers = false;
});
afterAll(async () => {
  for (const each of [rollup, execution]) {
    each.closeAllConnections();
    each.close();
  }
  await devnet[Symbol.asyncDispose]();
});

/** Runs a step, and returns its evidence, the last request with its changed plan, and what was waited for. */
async function run(kind: StepKind, value: Json) {
  const events: string[] = [];
  const time = standingTime({ settle: async () => void events.push('settled') });
  const evidence = await kind.run(value, devnet.run({ time }));
  const request = devnet.asked.at(-1) as { change: { plan: Plan } } & Record<string, unknown>;
  const { plan } = request.change;
  const task = (id: string): Task => plan.tasks.find((each) => each.id === id)!;
  return { evidence, request, plan, task, events };
}

describe('a step that restarts processes with changes', () => {
  it('gives a node fork times of its own', async () => {
    const { evidence, request, task } = await run(node, { restart: 'b', override: { isthmus: '+40s' } });
    expect(request).toMatchObject({ method: 'node', action: 'restart', tasks: ['main/b/el', 'main/b/cl'] });
    expect(optionOf(task('main/b/cl'), 'override.isthmus')).toBe(String(CLOCK_AT / 1000 + 30));
    expect(optionOf(task('main/c/cl'), 'override.isthmus')).toBeUndefined();
    expect(evidence).toEqual({ said: ['main/b/el, main/b/cl restarted'] });
  });

  it('goes back with a node that is past a moved activation only if it is to rewind', async () => {
    answers = true;
    const value = { restart: 'b', override: { isthmus: '+4s' } };
    for (const rewind of [{}, { rewind: false }])
      await expect(run(node, { ...value, ...rewind })).rejects.toMatchObject({ code: 'past' });
    expect(devnet.asked.filter(({ method }) => method === 'node')).toEqual([]);
    const { evidence, request } = await run(node, { ...value, rewind: true });
    expect(request['rewind']).toEqual([{ task: 'main/b/el', block: 1 }]);
    expect(evidence).toEqual({ said: ['main/b rewound to block 1; main/b/el, main/b/cl restarted'] });
  });

  it('gives a process arguments', async () => {
    const { request, task } = await run(node, {
      restart: 'b.cl',
      args: { 'log.level': 'debug', 'l1.rpc-max-batch-size': 9 },
    });
    expect(request['tasks']).toEqual(['main/b/cl']);
    expect(optionOf(task('main/b/cl'), 'log.level')).toBe('debug');
    expect(optionOf(task('main/b/cl'), 'l1.rpc-max-batch-size')).toBe('9');
  });

  it('changes where a batcher posts, and its arguments', async () => {
    const { evidence, task } = await run(batcher, { da: 'calldata', args: { 'log.level': 'debug' } });
    expect(optionOf(task('main/batcher'), 'data-availability-type')).toBe('calldata');
    expect(optionOf(task('main/batcher'), 'log.level')).toBe('debug');
    expect(evidence).toEqual({ said: ['main/batcher restarted'] });
    const other = await run(batcher, { do: 'restart', da: 'blobs', chain: 'main' });
    expect(optionOf(other.task('main/batcher'), 'data-availability-type')).toBe('blobs');
    expect(optionOf(other.task('main/batcher'), 'log.level')).toBeUndefined();
  });
});

describe('a step that moves forks', () => {
  it('restarts all processes of the chain, says what moved, and settles', async () => {
    const { evidence, request, events } = await run(fork, { move: { isthmus: '+90s', jovian: 'never' } });
    expect(evidence).toMatchObject({
      chain: 'main',
      forks: [{ fork: 'isthmus', was: CLOCK_AT / 1000 + 890, is: CLOCK_AT / 1000 + 80 }],
      restarted: request['tasks'],
      ...{ stopped: [], rewound: [], kept: [] },
    });
    expect(request['tasks']).toContain('main/batcher');
    expect(request).toMatchObject({ action: 'restart', rewind: [] });
    expect(events).toEqual(['settled']);
  });

  it('says how to go on when heads may be past a moved activation', async () => {
    const outcome = run(fork, { move: { isthmus: '+10s' }, chain: 'main' });
    await expect(outcome).rejects.toMatchObject({ code: 'past' });
    expect(devnet.asked.filter(({ method }) => method === 'node')).toEqual([]);
  });
});

describe('a step that moves forks of nodes that are past their activation', () => {
  const value = { move: { isthmus: '+4s' } };

  it('says how they would go back', async () => {
    answers = true;
    for (const rewind of [{}, { rewind: false }])
      await expect(run(fork, { ...value, ...rewind })).rejects.toMatchObject({
        code: 'past',
        hint: expect.stringContaining('to rewind the nodes to block 1 first, give the step `rewind: true`'),
      });
    expect(devnet.asked.filter(({ method }) => method === 'node')).toEqual([]);
  });

  it('goes back with them if it is to rewind', async () => {
    answers = true;
    const { evidence, request } = await run(fork, { ...value, rewind: true });
    expect(request['rewind']).toEqual(['a', 'b', 'c'].map((name) => ({ task: `main/${name}/el`, block: 1 })));
    expect(evidence['rewound']).toEqual(['a', 'b', 'c'].map((name) => ({ node: `main/${name}`, block: 1 })));
  });
});

describe('a step that changes the nodes of a chain', () => {
  it('adds a verifier, and finds the block on which it agrees', async () => {
    const value = { add: 'new', peers: ['a'], set: ['cl.args.x=1'], chain: 'main', el: 'execution-rust' };
    const { evidence, plan, task, events } = await run(node, value);
    const said = evidence['said'] as readonly string[];
    expect({ ...evidence, said: said.at(-1) }).toEqual({
      said: 'main/new joined',
      block: HEAD.number,
      hash: HEAD.hash,
    });
    expect(plan.network.chains[0]?.nodes.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'new']);
    expect(task('main/new/el').client).toBe('execution-rust');
    expect(optionOf(task('main/new/cl'), 'x')).toBe('1');
    expect(optionOf(task('main/new/cl'), 'p2p.static')?.split(',')).toHaveLength(1);
    expect(events).toEqual(['settled']);
  });

  it('adds one that follows another, with its own rollup node, and the peers of the topology', async () => {
    const { task, plan } = await run(node, { add: 'late', cl: 'rollup-node', follow: 'b' });
    expect(plan.network.chains[0]?.nodes.at(-1)).toMatchObject({ name: 'late', follows: 'b' });
    expect(optionOf(task('main/late/cl'), 'p2p.static')?.split(',')).toHaveLength(3);
  });

  it('says which port of an added node has moved, because another program has it', async () => {
    const before = devnet.run().plan().ports ?? {};
    const first = await run(node, { add: 'new' });
    const [key = '', port = 0] = Object.entries(first.plan.ports ?? {}).find(([each]) => !(each in before)) ?? [];
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const { evidence, plan } = await run(node, { add: 'new' });
    server.close();
    expect(plan.ports?.[key]).not.toBe(port);
    const [notice, ...others] = evidence['said'] as readonly string[];
    expect(notice).toMatch(new RegExp(`${port}`));
    expect(others).toEqual(['main/new joined']);
  });

  it('removes a verifier', async () => {
    const { evidence, plan, request } = await run(node, { remove: 'main/c' });
    expect(evidence).toEqual({ said: ['main/c removed'] });
    expect(request['method']).toBe('nodes');
    expect(plan.network.chains[0]?.nodes.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('gives the role of the sequencer to another', async () => {
    const { evidence, request, plan } = await run(sequencer, { move: 'b' });
    expect(request).toMatchObject({ method: 'sequencer', chain: 'main' });
    expect(plan.network.chains[0]?.nodes.map(({ name, role }) => [name, role])).toEqual([
      ['a', 'verifier'],
      ['b', 'sequencer'],
      ['c', 'verifier'],
    ]);
    expect(evidence).toEqual({
      said: ['main: b is the sequencer from block 10 on, a a verifier'],
      ...{ block: 9, hash: '0xaa', forwarded: 2 },
    });
  });
});
