import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { performer, secondsSince } from '../../../../src/orchestrator/scenario/perform/perform.ts';
import type { ReadStep, StepKind } from '../../../../src/orchestrator/scenario/step.ts';
import { Failure } from '../../../../src/system/failure.ts';
import { temporaryHome } from '../../supervisor/fixture-plan.ts';
import { servedDevnet } from '../served-devnet.ts';
import { HEAD, type NodeKind, type TwoNodes, twoNodes } from '../two-nodes.ts';

const FAILURE = new Failure('answer', 'no block', { hint: 'wait', data: { number: 4 } });

it.each<[string, unknown, boolean, object]>([
  ['a failure', FAILURE, false, { error: 'no block', hint: 'wait', number: 4 }],
  ['a failure within it', new Failure('inner', 'a step failed'), true, { error: 'a step failed' }],
  ['an error', new TypeError('x is undefined'), false, { error: 'x is undefined' }],
  ['an error within it', new TypeError('x is undefined'), true, { error: 'x is undefined' }],
  ['a text', 'away', false, { error: 'away' }],
])('a step that throws %s never throws: its result has failed', async (_, error, hasInner, evidence) => {
  using temporary = temporaryHome();
  const io = { cwd: temporary.home, env: { DEVNET_HOME: temporary.home } };
  const context = { name: 'absent', seed: 1, folder: temporary.home, signal: new AbortController().signal, time: {} };
  const perform = performer(io as never, 'a.yaml', context as never);
  const kind = { run: () => Promise.reject(error), ...(hasInner && { inner: ['steps'] }) } as unknown as StepKind;
  const step: ReadStep = { kind, value: {}, path: ['steps', 2], line: 7, text: 'wait: block:4', as: 'x', inner: [] };
  expect(await perform(step)).toMatchObject({ status: 'failed', at: 'a.yaml:7', step: 'wait: block:4', evidence });
});

describe('a step that fails', () => {
  let nodes: TwoNodes;
  beforeAll(async () => {
    nodes = await twoNodes();
  });
  afterAll(() => nodes[Symbol.dispose]());

  /** Fails a step on two nodes, of which the second is such. Returns its evidence. */
  async function failing(kind: NodeKind, error: Error) {
    nodes.verifier.is = kind;
    await using devnet = await servedDevnet(() => nodes.plan);
    const others = {
      'main/node-1/el': { phase: 'failed', restarts: 1 },
      'main/node-1/cl': { phase: 'starting', restarts: 0 },
    } as const;
    devnet.become({ tasks: others });
    const io = { cwd: devnet.home, env: { DEVNET_HOME: devnet.home } };
    const context = { name: 'one', seed: 1, folder: devnet.home, signal: new AbortController().signal, time: {} };
    const step = { kind: { run: () => Promise.reject(error) } as unknown as StepKind, value: {}, path: ['steps', 0] };
    const perform = performer(io as never, 'a.yaml', context as never);
    return (await perform({ ...step, line: 7, text: 'x', as: undefined, inner: [] })).evidence;
  }
  const head = { number: HEAD, hash: `0x${'b'.repeat(62)}${HEAD}` };
  const sequencer = {
    ...{ node: 'main/node-0', el: 'external', cl: 'external', safe: HEAD, finalized: 0 },
    unsafe: expect.objectContaining(head),
  };

  it('has the state of the network and of every node', async () => {
    expect(await failing('same', FAILURE)).toStrictEqual({
      ...{ error: 'no block', hint: 'wait', number: 4, phase: 'ready', problems: [] },
      nodes: [sequencer, { ...sequencer, node: 'main/node-1', el: 'failed', cl: 'starting' }],
    });
  });

  it('says of a node that it did not answer', async () => {
    expect(await failing('silent', new Error('not so'))).toMatchObject({
      nodes: [
        sequencer,
        { node: 'main/node-1', unsafe: null, safe: null, finalized: null, unanswered: expect.anything() },
      ],
    });
  });

  it('has no state of its own when a step within it has that', async () => {
    const evidence = await failing('same', new Failure('inner', 'a step failed'));
    expect(evidence).toStrictEqual({ error: 'a step failed' });
  });
});

it.each([
  ['with the values of earlier steps', undefined, 'b 4'],
  ['as it is written when further steps are within it, whose values come later', ['steps'], 'b ${a.block}'],
])('a step has its value %s', async (_, inner, value) => {
  const values: unknown[] = [];
  const run = (each: unknown) => {
    values.push(each);
    return Promise.resolve({ block: 4 });
  };
  const context = { name: 'one', seed: 1, folder: '/', signal: new AbortController().signal, time: {} };
  const perform = performer({ cwd: '/', env: {} } as never, 'a.yaml', context as never);
  const step: ReadStep = {
    ...{ kind: { run } as unknown as StepKind, value: 'a', path: ['steps', 0], line: 1, text: 'x' },
    ...{ as: 'a', inner: [] },
  };
  await perform(step);
  await perform({ ...step, kind: { run, inner } as unknown as StepKind, value: 'b ${a.block}' });
  expect(values).toEqual(['a', value]);
});

it('the time of a step is in seconds, with milliseconds', () => {
  const seconds = secondsSince(performance.now() - 1_500_000.4);
  expect(Math.floor(seconds / 100)).toBe(15);
  expect(seconds).toBe(Number(seconds.toFixed(3)));
});
