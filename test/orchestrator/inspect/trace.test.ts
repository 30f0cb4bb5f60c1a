import { afterEach, describe, expect, it } from 'vitest';
import { type CallFrame, readTrace } from '../../../src/orchestrator/inspect/trace.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';
import { address, l1Layer, stubInspector, TRANSFER, word } from './inspected.ts';

let node: AnsweringNode | undefined;
afterEach(() => node?.close());

/** Traces a transaction of which a client returns this. */
async function traced(answer: unknown, inspector = stubInspector()) {
  const requests: unknown[] = [];
  node = await answeringNode((method, params) => {
    requests.push([method, params]);
    if (answer === undefined) throw new Error('the method does not exist');
    return answer;
  });
  return { frame: await readTrace(inspector, l1Layer(node.url), word('a')), requests, inspector };
}

const plain = {
  ...{ kind: 'CALL', from: '', to: null, value: '0', gasUsed: 0, call: null, selector: null, error: null },
  ...{ reason: null, calls: [], omitted: 0 },
};

describe('a trace', () => {
  it('has the call with its name, its value and its calls', async () => {
    const { frame, requests, inspector } = await traced({
      ...{ type: 'CALL', from: address('a'), to: address('B'), value: '0x10', gasUsed: '0x5208', input: TRANSFER },
      calls: [
        { type: 'STATICCALL', from: address('b'), to: address('c'), gasUsed: '0x1', input: '0x01020304ff' },
        { type: 'CALL', to: address('c'), input: '0x010203' },
        { type: 'CALL', input: '0x01020304' },
      ],
    });
    expect(frame).toEqual({
      ...plain,
      ...{ from: address('a'), to: { address: address('B'), name: 'weth' }, value: '16', gasUsed: 21_000 },
      call: expect.objectContaining({ name: 'transfer' }),
      selector: '0xa9059cbb',
      calls: [
        {
          ...plain,
          ...{ kind: 'STATICCALL', from: address('b'), to: { address: address('c'), name: null }, gasUsed: 1 },
          selector: '0x01020304',
        },
        { ...plain, to: { address: address('c'), name: null } },
        { ...plain, selector: '0x01020304' },
      ],
    });
    expect(requests).toEqual([['debug_traceTransaction', [word('a'), { tracer: 'callTracer' }]]]);
    expect(inspector.identified).toEqual([[address('B'), address('c'), address('c')]]);
  });

  it.each(['CREATE', 'CREATE2'])('has no call of the code that a contract is created with (%s)', async (type) => {
    const { frame } = await traced({ type, to: address('c'), input: TRANSFER });
    expect(frame).toEqual({ ...plain, kind: type, to: { address: address('c'), name: null } });
  });

  it('has the reason for which a call failed, and none of one that did not', async () => {
    const message = Buffer.from('no').toString('hex').padEnd(64, '0');
    const output = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${message}`;
    const failed = { error: 'execution reverted', output };
    const { frame } = await traced({ ...failed, calls: [{ output }, { error: 'out of gas' }] });
    const { calls, ...rest } = frame as CallFrame;
    expect(rest).toMatchObject({ error: 'execution reverted', reason: { name: 'Error', args: { message: 'no' } } });
    expect(calls).toMatchObject([
      { error: null, reason: null },
      { error: 'out of gas', reason: null },
    ]);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['text', 'none'],
    ['fields of other types', { type: 1, from: 2, to: 3, value: 4, gasUsed: 5, input: 6, error: 7, calls: {} }],
  ])('is an empty call when the client returns %s', async (_, answer) => {
    const { frame, inspector } = await traced(answer);
    expect(frame).toEqual(plain);
    expect(inspector.identified).toEqual([[]]);
  });

  it('is missing, with the reason, when the client cannot trace', async () => {
    expect((await traced(undefined)).frame).toEqual({ missing: expect.stringContaining('method does not exist') });
    expect((await traced({ value: 'many' })).frame).toEqual({ missing: expect.stringContaining('many') });
  });

  it('has at most 500 calls, and says how many are left out', async () => {
    const calls = Array.from({ length: 600 }, () => ({ to: address('c') }));
    const { frame, inspector } = await traced({ calls });
    expect((frame as CallFrame).calls).toHaveLength(499);
    expect(frame).toMatchObject({ omitted: 101 });
    expect(inspector.identified[0]).toHaveLength(500);
    const nested = await traced({ calls: [{ calls }, { calls }] });
    const [first, second] = (nested.frame as CallFrame).calls;
    expect([first?.calls.length, first?.omitted, second]).toEqual([498, 102, undefined]);
    expect(nested.frame).toMatchObject({ omitted: 1 });
    // The addresses of the first level are read before those below.
    const levels = await traced({
      calls: [
        { to: address('1'), calls },
        { to: address('2'), calls },
      ],
    });
    expect(levels.inspector.identified[0]?.slice(0, 3)).toEqual([address('1'), address('2'), address('c')]);
    expect(levels.inspector.identified[0]?.length).toBeLessThanOrEqual(1002);
  });
});
