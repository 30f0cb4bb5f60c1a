import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../src/rpc/error.ts';
import { answerOwn, type GatewayCall, type GatewayMethods } from '../../../src/rpc/gateway/methods.ts';

const calls: GatewayCall[] = [];
const METHODS: GatewayMethods = {
  own_params: (call) => {
    calls.push(call);
    return call.params;
  },
  own_none: () => undefined,
  own_zero: async () => 0,
  own_pass: ({ params, pass }) => pass('eth_other', params),
  own_refused: () => {
    throw new RpcError(-32_601, 'not here', { at: 1 });
  },
  own_defect: () => {
    throw new TypeError('a defect');
  },
  own_text: () => {
    throw 'a text';
  },
};

/** A target that answers `ask` with what it was asked, and its requests. */
function target(answer = (request: string) => request) {
  const asked: unknown[] = [];
  return {
    asked,
    call: async (method: string, params: readonly unknown[]) => {
      asked.push([method, params]);
      return 'passed';
    },
    ask: async (request: string) => {
      asked.push(request);
      return answer(request);
    },
  };
}

const answerTo = (body: unknown, behind = target(), methods = METHODS) =>
  answerOwn(methods, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), behind);
const parsed = async (body: unknown, behind = target()) => JSON.parse((await answerTo(body, behind))!);

describe('a request to a gateway', () => {
  it.each([
    ['of another method', '{"id":1,"method":"eth_other"}'],
    ['of a method that every object has', '{"id":1,"method":"toString","params":["own_none"]}'],
    ['without a method', '{"id":1,"params":["own_none"]}'],
    ['whose method is no text', '{"id":1,"method":["own_none"]}'],
    ['that is no JSON', '{"method":"own_none"'],
    ['that is a text', '"own_none"'],
    ['that is nothing', ''],
    ['in a batch of other methods', '[{"id":1,"method":"eth_other","params":["own_none"]}]'],
    ['in an empty batch', '[]'],
  ])('is passed on as it is: one %s', (_, body) => {
    expect(answerTo(body)).toBeUndefined();
    expect(answerTo('{"id":1,"method":"own_none"}', target(), {})).toBeUndefined();
  });

  it.each([
    ['own_params', [1, 'a'], { result: [1, 'a'] }],
    ['own_params', undefined, { result: [] }],
    ['own_params', { a: 1 }, { result: [] }],
    ['own_none', [], { result: null }],
    ['own_zero', [], { result: 0 }],
    ['own_pass', [2], { result: 'passed' }],
    ['own_refused', [], { error: { code: -32_601, message: 'not here', data: { at: 1 } } }],
    ['own_defect', [], { error: { code: -32_603, message: 'a defect' } }],
    ['own_text', [], { error: { code: -32_603, message: 'a text' } }],
  ])('of %s with %j is answered by %j', async (method, params, expected) => {
    expect(await parsed({ jsonrpc: '2.0', id: 'x', method, params })).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      ...expected,
    });
  });

  it('is found in a spelling with escapes, and names its method to the one that answers', async () => {
    expect(await parsed('{"id":1,"method":"own\\u005fnone"}')).toEqual({ jsonrpc: '2.0', id: 1, result: null });
    await parsed({ id: 1, method: 'own_params' });
    expect(calls.at(-1)!.method).toBe('own_params');
  });

  it.each(['own_none', 'own_refused'])('without an id is not answered: %s', async (method) => {
    expect(await answerTo({ method })).toBe('');
  });

  it('reaches the target by what the method passes on', async () => {
    const behind = target();
    await parsed({ id: 1, method: 'own_pass', params: [3] }, behind);
    expect(behind.asked).toEqual([['eth_other', [3]]]);
  });
});

describe('a batch to a gateway', () => {
  const other = { id: 1, method: 'eth_other' };

  it('is answered request by request, in order, by the gateway or its target', async () => {
    const behind = target();
    expect(await parsed([other, { id: 2, method: 'own_zero' }, { method: 'own_none' }, 7], behind)).toEqual([
      other,
      { jsonrpc: '2.0', id: 2, result: 0 },
      7,
    ]);
    expect(behind.asked).toEqual([JSON.stringify(other), '7']);
  });

  it('has no answer when no request of it has one', async () => {
    expect(
      await answerTo(
        [{ method: 'own_none' }, { method: 'eth_other' }],
        target(() => ''),
      ),
    ).toBe('');
  });

  it('has an error for a request whose target does not answer, and none for a notification', async () => {
    const behind = target(() => {
      throw new Error('L1 does not answer');
    });
    expect(await parsed([other, { method: 'eth_other' }, { id: 2, method: 'own_zero' }], behind)).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'L1 does not answer' } },
      { jsonrpc: '2.0', id: 2, result: 0 },
    ]);
  });
});
