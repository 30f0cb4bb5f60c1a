import { afterEach, describe, expect, it } from 'vitest';
import type { NodeView, Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Problem } from '../../../src/orchestrator/state/problem.ts';
import type { Phase } from '../../../src/orchestrator/state/state.ts';
import type { Condition } from '../../../src/orchestrator/wait/condition.ts';
import { missingIn, type Wait, waitFor } from '../../../src/orchestrator/wait/wait.ts';
import { Failure } from '../../../src/system/failure.ts';
import { blocksTo, type ChainNode, chainNode, planWith } from '../divergence/chain-nodes.ts';

let open: readonly ChainNode[] = [];
afterEach(() => {
  for (const node of open) node.close();
  open = [];
});

/** The plan of a chain whose nodes have these heads. */
async function planTo(...heads: readonly number[]): Promise<Plan> {
  open = await Promise.all(heads.map((head) => chainNode(blocksTo(head))));
  return planWith(open);
}

const READY: Condition = { kind: 'ready' };
const block = (number: number): Condition => ({ kind: 'unsafe', number });
const bare = planWith([{ url: 'http://127.0.0.1:1' }]);

/** Replaces the forks of the chain and the overrides of its nodes. */
function withForks(plan: Plan, forks: NodeView['overrides'], ...overrides: readonly NodeView['overrides'][]): Plan {
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    forks,
    nodes: chain.nodes.map((node, at) => ({ ...node, overrides: overrides[at] ?? {} })),
  }));
  return { ...plan, network: { ...plan.network, chains } };
}

/** A wait for a devnet that looks like each of these in turn. The last one stays. */
function waitOn(
  looks: readonly (readonly [Phase, boolean] | Error)[],
  more: Partial<Wait> = {},
  answers: readonly { readonly phase: Phase; readonly problems: readonly Problem[] }[] = [],
) {
  const counts = { looks: 0, confirms: 0 };
  const wait: Wait = {
    ...{ condition: READY, node: undefined, timeoutMs: 60_000 },
    look() {
      const look = looks[Math.min(counts.looks, looks.length - 1)];
      counts.looks += 1;
      if (look === undefined || look instanceof Error) throw look;
      return { phase: look[0], up: look[1], plan: bare };
    },
    confirm: async () => {
      counts.confirms += 1;
      return answers[Math.min(counts.confirms, answers.length) - 1] ?? { phase: 'ready', problems: [] };
    },
    ...more,
  };
  return { wait, counts };
}

const absent = new Failure('which', 'no devnet is up', { data: { absent: true } });
const halfMade = new Failure('state', 'one has no state');

describe('a wait for a devnet', () => {
  it('ends when its supervisor says that it is ready', async () => {
    const { wait, counts } = waitOn([['ready', true]]);
    expect(await waitFor(wait)).toEqual({ code: 0, description: '' });
    expect(counts).toEqual({ looks: 1, confirms: 1 });
  });

  it('asks the supervisor once the file says that the start is over', async () => {
    const { wait, counts } = waitOn([
      ['starting', false],
      ['starting', true],
      ['degraded', true],
    ]);
    expect(await waitFor(wait)).toEqual({ code: 0, description: '' });
    expect(counts).toEqual({ looks: 3, confirms: 1 });
  });

  it('goes on while its supervisor says that it is degraded', async () => {
    const problem: Problem = { subject: 'main/a/el', what: 'does not answer', since: 0, because: null };
    const degraded = { phase: 'degraded', problems: [problem, { ...problem, because: 'disk full' }] } as const;
    const { wait, counts } = waitOn([['ready', true]], {}, [degraded, { phase: 'ready', problems: [] }]);
    expect(await waitFor(wait)).toEqual({ code: 0, description: '' });
    expect(counts).toEqual({ looks: 2, confirms: 2 });
    const { wait: short } = waitOn([['ready', true]], { timeoutMs: 0 }, [degraded]);
    expect(await waitFor(short)).toEqual({
      code: 3,
      description:
        'timed out after 0 s: it is degraded\n  main/a/el: does not answer\n  main/a/el: does not answer (disk full)',
    });
  });

  it.each<[string, Error]>([
    ['is not there yet', absent],
    ['is half made', halfMade],
  ])('goes on for one that %s', async (_, error) => {
    const { wait } = waitOn([error, ['ready', true]]);
    expect(await waitFor(wait)).toEqual({ code: 0, description: '' });
    const { wait: short } = waitOn([error], { timeoutMs: 0 });
    expect(await waitFor(short)).toEqual({ code: 3, description: `timed out after 0 s: ${error.message}` });
  });

  it.each<[string, readonly (readonly [Phase, boolean] | Error)[], Partial<Wait>]>([
    ['there are several', [new Failure('which', 'several devnets exist')], {}],
    ['reading it fails', [new TypeError('no such file')], {}],
    ['it is gone after it was up', [['starting', true], absent], {}],
    ['a block is waited for and it is absent', [absent], { condition: block(1) }],
    ['a block is waited for and it is half made', [halfMade], { condition: block(1) }],
  ])('fails when %s', async (_, looks, more) => {
    const error = looks.find((look) => look instanceof Error);
    await expect(waitFor(waitOn(looks, more).wait)).rejects.toBe(error);
  });

  it('fails as soon as it has ended', async () => {
    const ended = waitOn([
      ['starting', true],
      ['failed', false],
    ]);
    expect(await waitFor(ended.wait)).toEqual({
      code: 1,
      description: 'one is failed: the condition cannot come true',
    });
    const { wait, counts } = waitOn([['stopped', false]], { condition: block(1) });
    expect(await waitFor(wait)).toEqual({ code: 1, description: 'one is not running' });
    expect(counts.looks).toBe(1);
  });

  it('says what is missing when its time is over', async () => {
    const { wait, counts } = waitOn([['starting', true]], { timeoutMs: 15 });
    expect(await waitFor(wait)).toEqual({ code: 3, description: 'timed out after 0.015 s: it is starting' });
    expect(counts).toEqual({ looks: 2, confirms: 0 });
  });

  it('throws the reason of its signal', async () => {
    const stop = new AbortController();
    const { wait, counts } = waitOn([['starting', true]], { signal: stop.signal });
    const reason = new Error('interrupted');
    const waiting = waitFor(wait);
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(waitFor(wait)).rejects.toBe(reason);
    expect(counts.looks).toBe(1);
  });

  it('moves a stepped clock slot by slot, and counts its time by it', async () => {
    const plan = await planTo(3);
    const plans: Plan[] = [];
    const advance = async (of: Plan) => 5000 + 2000 * plans.push(of);
    const look = () => ({ phase: 'ready', up: true, plan }) as const;
    const { wait } = waitOn([['ready', true]], { look, advance, condition: block(9), timeoutMs: 4000 });
    expect(await waitFor(wait)).toEqual({
      code: 3,
      description: 'timed out after 4 s: main/node-0: its unsafe block is 3',
    });
    expect(plans).toEqual([plan, plan, plan]);
    const reaching = async () => {
      open[0]!.blocks = blocksTo(9);
      return 1;
    };
    expect(await waitFor({ ...wait, advance: reaching })).toEqual({ code: 0, description: '' });
  });

  it('lets a clock run that runs by itself', async () => {
    const plan = await planTo(3);
    let calls = 0;
    const advance = async () => {
      calls += 1;
      open[0]!.blocks = blocksTo(9);
      return undefined;
    };
    const look = () => ({ phase: 'ready', up: true, plan }) as const;
    const { wait } = waitOn([['ready', true]], { look, advance, condition: block(9) });
    expect(await waitFor(wait)).toEqual({ code: 0, description: '' });
    expect(calls).toBe(1);
    // Readiness needs no slots.
    const { wait: ready } = waitOn(
      [
        ['starting', true],
        ['ready', true],
      ],
      { advance },
    );
    expect(await waitFor(ready)).toEqual({ code: 0, description: '' });
    expect(calls).toBe(1);
  });

  it('needs no clock that it can move', async () => {
    const plan = await planTo(3);
    const look = () => ({ phase: 'ready', up: true, plan }) as const;
    const { wait } = waitOn([['ready', true]], { look, condition: block(9), timeoutMs: 1 });
    expect(await waitFor(wait)).toEqual({
      ...{ code: 3, description: 'timed out after 0.001 s: main/node-0: its unsafe block is 3' },
    });
  });

  it('ends at a block that nodes have before the network is ready', async () => {
    const plan = await planTo(3);
    const look = () => ({ phase: 'starting', up: true, plan }) as const;
    const { wait, counts } = waitOn([['starting', true]], { look, condition: block(3), timeoutMs: 0 });
    expect(await waitFor(wait)).toEqual({ code: 0, description: '' });
    expect(counts.confirms).toBe(0);
  });
});

describe('what a network lacks for a condition', () => {
  const confirm = async () => ({ phase: 'ready', problems: [] }) as const;

  it('is listed by node', async () => {
    const plan = await planTo(5, 7, 9);
    expect(await missingIn(plan, block(9), undefined, confirm)).toBe(
      'main/node-0: its unsafe block is 5; main/node-1: its unsafe block is 7',
    );
    expect(await missingIn(plan, block(5), undefined, confirm)).toBeUndefined();
    expect(await missingIn(plan, { kind: 'safe', number: 1 }, 'node-2', confirm)).toBe(
      'main/node-2: it has no safe block',
    );
    expect(open.map(({ requests }) => requests.length)).toEqual([6, 6, 9]);
  });

  it.each(['node-1', 'main/node-1'])('is that of one node when %s is named', async (node) => {
    const plan = await planTo(5, 7, 9);
    expect(await missingIn(plan, block(9), node, confirm)).toBe('main/node-1: its unsafe block is 7');
  });

  it.each(['node-3', 'other/node-1', 'main'])('is refused for the node %s, which is none', async (node) => {
    const plan = planWith(['http://127.0.0.1:1', 'http://127.0.0.1:2'].map((url) => ({ url })));
    for (const condition of [READY, block(1)])
      await expect(missingIn(plan, condition, node, confirm)).rejects.toMatchObject({
        ...{ code: 'usage', exit: 2, message: `unknown node ${node}; expected one of node-0, node-1` },
      });
  });

  it('is time until a fork on each node', async () => {
    const plan = withForks(await planTo(5, 5), { isthmus: 1005 }, {}, { isthmus: 1008 });
    const fork = { kind: 'fork', fork: 'isthmus' } as const;
    expect(await missingIn(plan, fork, undefined, confirm)).toBe("main/node-1: its head's time is 3 s before isthmus");
    expect(await missingIn(plan, fork, 'node-0', confirm)).toBeUndefined();
  });
});

describe('a fork that never activates', () => {
  const plan = withForks(
    planWith([1, 2, 3].map((port) => ({ url: `http://127.0.0.1:${port}` }))),
    { canyon: 0, isthmus: 1005, jovian: null },
    { jovian: null },
    { isthmus: null, karst: 1009 },
    { isthmus: null },
  );
  const failure = (fork: string, node?: string) =>
    missingIn(plan, { kind: 'fork', fork }, node, async () => ({ phase: 'ready', problems: [] })).then(
      () => undefined,
      ({ code, exit, message, hint }) => ({ code, exit, message, hint }),
    );
  const usage = { code: 'usage', exit: 2 };

  it('is refused with the forks that do', async () => {
    const hint = 'forks with an activation time: canyon, isthmus, karst';
    const message = (fork: string) => `${fork} never activates on this devnet`;
    expect(await failure('jovian')).toEqual({ ...usage, message: message('jovian'), hint });
    expect(await failure('delta')).toEqual({ ...usage, message: message('delta'), hint });
    expect(await failure('delta', 'node-0')).toEqual({ ...usage, message: message('delta'), hint });
  });

  it('on some nodes is refused with a node on which it does', async () => {
    const hint = 'wait on another node: `devnet wait fork:isthmus @main/node-0`';
    expect(await failure('isthmus')).toEqual({
      ...{ ...usage, message: 'isthmus never activates on main/node-1, main/node-2', hint },
    });
    expect(await failure('isthmus', 'node-2')).toEqual({
      ...{ ...usage, message: 'isthmus never activates on main/node-2', hint },
    });
    expect(await failure('karst', 'main/node-0')).toEqual({
      ...{ ...usage, message: 'karst never activates on main/node-0' },
      hint: 'wait on another node: `devnet wait fork:karst @main/node-1`',
    });
  });
});
