import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../../src/rpc/error.ts';
import { method } from '../../../src/rpc/method.ts';
import { type DispatchOptions, dispatch } from '../../../src/rpc/server/dispatch.ts';
import { STANDARD_ENVELOPE } from '../../../src/rpc/server/envelope.ts';
import { JsonText, joinJson } from '../../../src/rpc/server/json-text.ts';

const ran: string[] = [];
const methods = {
  test_echo: method('echo', z.tuple([z.string(), z.optional(z.string())]), (_, [text]) => {
    ran.push(text);
    return text;
  }),
  test_three: method('three', z.tuple([z.string(), z.string().nullable(), z.string()]), (_, texts) => texts.join()),
  test_list: method('list', z.tuple([z.array(z.number()).min(1)]), (_, [list]) => list.length),
  test_many: {
    summary: 'many',
    params: z.array(z.string()).refine((texts) => texts.length !== 2, 'two are odd'),
    handle: (_: object, texts: readonly string[]) => texts.join(),
  },
  test_text: method('text', z.tuple([]), () => new JsonText(['{"a":', ' 1}'])),
  test_bytes: method('bytes', z.tuple([]), () => new JsonText(['["', Buffer.from('ä'), '"]'])),
  test_longest: method('longer than a string', z.tuple([]), () => new JsonText(undefined)),
  test_throw: method('throws when it is encoded', z.tuple([z.string()]), (_, [name]) => ({
    toJSON() {
      throw name === 'RangeError' ? new RangeError('Invalid string length') : new TypeError('no JSON');
    },
  })),
  test_none: method('none', z.tuple([]), () => undefined),
  test_refuse: method('refuse', z.tuple([]), () => {
    throw new RpcError(-32_001, 'not here', { at: 1 });
  }),
  test_break: method('break', z.tuple([]), () => {
    throw new TypeError('broken');
  }),
};
const request = (id: unknown, name = 'test_echo', params: unknown = ['a']) => ({
  ...{ jsonrpc: '2.0', method: name, params },
  ...(id === undefined ? {} : { id }),
});

/** Sends a message and parses the answer. */
async function answer(message: unknown, options: Partial<DispatchOptions<object>> = {}): Promise<unknown> {
  ran.length = 0;
  const call = { transport: 'http', from: '10.0.0.1', closed: new AbortController().signal } as const;
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const found = await dispatch({ methods, context: {}, ...options }, text, call);
  return found === undefined ? undefined : JSON.parse(found.toString());
}
const error = (id: unknown, code: number, message: unknown = expect.any(String)) => ({
  ...{ jsonrpc: '2.0', id },
  error: { code, message },
});
const whole = { ...STANDARD_ENVELOPE, refusesBatchWhole: true };

describe('a batch', () => {
  const batch = [request(1), request(undefined), request(2)];

  it('of as many requests as allowed is answered, without its notifications', async () => {
    for (const envelope of [STANDARD_ENVELOPE, whole])
      expect(await answer(batch, { maxBatch: 3, envelope })).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(ran).toHaveLength(3);
  });

  it('of one more is refused and not run: with the first id, or whole', async () => {
    const refused = error(1, RPC_CODE.invalidRequest, 'batch too large');
    expect(await answer([request(undefined), ...batch.slice(0, 1), request(3)], { maxBatch: 2 })).toEqual([refused]);
    expect(await answer(batch, { maxBatch: 2, envelope: whole })).toEqual({ ...refused, id: null });
    expect(ran).toEqual([]);
  });

  it('of 1,000 requests is answered where no limit is given, one of 1,001 is not', async () => {
    const many = Array.from({ length: 1001 }, (_, id) => request(id));
    expect(await answer(many.slice(1))).toHaveLength(1000);
    expect(await answer(many)).toEqual([error(0, RPC_CODE.invalidRequest)]);
  });

  it('of notifications alone has no answer, an empty one has an error', async () => {
    expect(await answer([request(undefined)])).toBeUndefined();
    expect(ran).toEqual(['a']);
    expect(await answer([])).toEqual(error(null, RPC_CODE.invalidRequest, 'empty batch'));
  });

  it('whose answers pass the limit of bytes is answered as far as they fit', async () => {
    // Each answer takes 38 bytes with its comma.
    const texts = [request(1), request(2), request(3)];
    expect(await answer(texts, { maxBatchResponse: 114 })).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(ran).toHaveLength(3);
    expect(await answer(texts, { maxBatchResponse: 76 })).toMatchObject([{ id: 1 }, { id: 2 }, { result: 'a' }]);
    expect(await answer(texts, { maxBatchResponse: 75 })).toMatchObject([{ id: 1 }, { id: 2 }, error(3, -32_003)]);
    expect(await answer(texts, { maxBatchResponse: 114, envelope: whole })).toHaveLength(3);
    expect(await answer(texts, { maxBatchResponse: 113, envelope: whole })).toEqual(error(null, -32_003));
    const late = await answer(texts, { maxBatchResponse: 70 });
    expect(late).toMatchObject([{ id: 1 }, { id: 2 }, error(3, -32_003)]);
    expect(ran).toHaveLength(2);
    expect(await answer(texts, { maxBatchResponse: 70, envelope: whole })).toEqual(error(null, -32_003));
  });
});

describe('a batch that goes on', () => {
  it('runs notifications past the limit of bytes, and answers none of them', async () => {
    expect(await answer([request(1), request(undefined)], { maxBatchResponse: 10 })).toMatchObject([{ id: 1 }]);
    expect(ran).toHaveLength(2);
  });

  it('lets other work run after two milliseconds', async () => {
    let clock = 1000;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
    const run: string[] = [];
    const test_wait = method('takes ms', z.tuple([z.number()]), (_, [ms]) => {
      clock += ms;
      run.push(`${ms} ms`);
    });
    setImmediate(() => run.push('other work'));
    await answer(
      [2, 0.5, 0, 1].map((ms, id) => request(id, 'test_wait', [ms])),
      { methods: { test_wait } },
    );
    now.mockRestore();
    expect(run).toEqual(['2 ms', '0.5 ms', 'other work', '0 ms', '1 ms']);
  });

  it('ends without an answer when its connection closes', async () => {
    const closed = new AbortController();
    const test_close = method('closes', z.tuple([]), () => closed.abort());
    const call = { transport: 'http', closed: closed.signal } as const;
    const text = JSON.stringify([request(1, 'test_close', []), request(2, 'test_close', [])]);
    expect(await dispatch({ methods: { test_close }, context: {} }, text, call)).toBe(undefined);
  });
});

describe('a request', () => {
  it.each<[string, unknown, unknown]>([
    ['with a result', request(1), { jsonrpc: '2.0', id: 1, result: 'a' }],
    ['with an id of text', request('x'), { jsonrpc: '2.0', id: 'x', result: 'a' }],
    ['with the id null', request(null), { jsonrpc: '2.0', id: null, result: 'a' }],
    ['without a result', request(1, 'test_none', []), { jsonrpc: '2.0', id: 1, result: null }],
    ['without params', { jsonrpc: '2.0', id: 1, method: 'test_none' }, { jsonrpc: '2.0', id: 1, result: null }],
    ['with params of null', request(1, 'test_none', null), { jsonrpc: '2.0', id: 1, result: null }],
    ['with trailing nulls', request(1, 'test_echo', ['a', null]), { jsonrpc: '2.0', id: 1, result: 'a' }],
    ['that is no JSON', '{', error(null, RPC_CODE.parse)],
    ['of another version', { ...request(1), jsonrpc: '1.0' }, error(1, RPC_CODE.invalidRequest)],
    ['without a method', { jsonrpc: '2.0', id: 1 }, error(1, RPC_CODE.invalidRequest)],
    ['with an empty method', request(1, ''), error(1, RPC_CODE.invalidRequest)],
    ['with an id that is a list', request([1]), error(null, RPC_CODE.invalidRequest)],
    ['of another version with a text as id', { ...request('x'), jsonrpc: '1.0' }, error('x', RPC_CODE.invalidRequest)],
    ['that is null', 'null', error(null, RPC_CODE.invalidRequest)],
    ['with null between params', request(1, 'test_three', ['a', null, 'c']), { jsonrpc: '2.0', id: 1, result: 'a,,c' }],
    ['of any number of params', request(1, 'test_many', ['a', 'b', 'c']), { jsonrpc: '2.0', id: 1, result: 'a,b,c' }],
    [
      'whose params are wrong together',
      request(1, 'test_many', ['a', 'b']),
      error(1, RPC_CODE.invalidParams, 'invalid argument 0: two are odd'),
    ],
    [
      'with a list that is too short',
      request(1, 'test_list', [[]]),
      error(1, RPC_CODE.invalidParams, expect.stringMatching(/^invalid argument 0: Too small/)),
    ],
    [
      'with an item of another type',
      request(1, 'test_list', [[1, 'a']]),
      error(1, RPC_CODE.invalidParams, 'invalid argument 0.1: expected number, received string'),
    ],
    [
      'with a parameter missing in words',
      request(1, 'test_three', ['a']),
      error(1, RPC_CODE.invalidParams, 'missing value for required argument 1'),
    ],
    ['whose result is JSON text', request('x', 'test_text', []), { jsonrpc: '2.0', id: 'x', result: { a: 1 } }],
    ['whose JSON text is too long', request(1, 'test_longest', []), error(1, -32_003, 'response too large')],
    [
      'whose result is longer than a string',
      request(1, 'test_throw', ['RangeError']),
      error(1, -32_003, 'response too large'),
    ],
    ['that is text', '"test_none"', error(null, RPC_CODE.invalidRequest)],
    ['of an unknown method', request(1, 'test_no'), error(1, RPC_CODE.methodNotFound)],
    ['of a name that every object has', request(1, 'toString'), error(1, RPC_CODE.methodNotFound)],
    ['with params in a map', request(1, 'test_echo', { a: 1 }), error(1, RPC_CODE.invalidParams)],
    ['with a parameter too few', request(1, 'test_echo', []), error(1, RPC_CODE.invalidParams)],
    [
      'with a parameter too many',
      request(1, 'test_echo', ['a', 'b', 'c']),
      error(1, RPC_CODE.invalidParams, 'too many arguments, want at most 2'),
    ],
    ['with a parameter of another type', request(1, 'test_echo', [1]), error(1, RPC_CODE.invalidParams)],
    [
      'that its method refuses',
      request(1, 'test_refuse', []),
      { jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'not here', data: { at: 1 } } },
    ],
    ['whose method breaks', request(1, 'test_break', []), error(1, RPC_CODE.internal, 'broken')],
  ])('%s', async (_, message, expected) => {
    expect(await answer(message)).toEqual(expected);
  });

  it.each([
    ['is run', STANDARD_ENVELOPE, ['a']],
    ['is dropped', { ...STANDARD_ENVELOPE, runsNotifications: false }, []],
  ])('without an id %s and has no answer, also when it fails', async (_, envelope, expected) => {
    expect(await answer(request(undefined), { envelope })).toBeUndefined();
    expect(ran).toEqual(expected);
    for (const name of ['test_refuse', 'test_break', 'test_no'])
      expect(await answer(request(undefined, name, []), { envelope })).toBeUndefined();
  });

  it.each([
    ['alone, with an id', { id: 1 }, error(1, -32_600, 'true true')],
    ['alone, with an id that is none', { id: {} }, error(null, -32_600, 'true true')],
    ['alone, without an id', {}, error(null, -32_600, 'false true')],
    ['in a batch', [{ id: 1 }, {}], [error(1, -32_600, 'true false'), error(null, -32_600, 'false false')]],
  ])('that is invalid has an error by its id and its place: %s', async (_, message, expected) => {
    const envelope = {
      ...STANDARD_ENVELOPE,
      invalidRequest: (hasId: boolean, isAlone: boolean) => new RpcError(-32_600, `${hasId} ${isAlone}`),
    };
    expect(await answer(message, { envelope })).toEqual(expected);
  });

  it('with a parameter too many is answered when the envelope ignores it', async () => {
    const envelope = { ...STANDARD_ENVELOPE, ignoresExtraParams: true };
    expect(await answer(request(1, 'test_echo', ['a', 'b', 3]), { envelope })).toMatchObject({ result: 'a' });
    expect(await answer(request(1, 'test_many', ['a', 'b', 'c']), { envelope })).toMatchObject({ result: 'a,b,c' });
  });

  it('whose result cannot be encoded has an internal error, also in the log', async () => {
    const onInternalError = vi.fn();
    const message = request(1, 'test_throw', ['TypeError']);
    expect(await answer(message, { onInternalError })).toEqual(error(1, RPC_CODE.internal, 'no JSON'));
    expect(onInternalError.mock.calls).toEqual([['test_throw', new TypeError('no JSON')]]);
    expect(await answer([message, request(2)])).toMatchObject([error(1, RPC_CODE.internal), { id: 2, result: 'a' }]);
  });

  it('whose result is JSON text is answered by that text', async () => {
    const call = { transport: 'http', closed: new AbortController().signal } as const;
    const text = JSON.stringify(request('x', 'test_text', []));
    expect(await dispatch({ methods, context: {} }, text, call)).toBe('{"jsonrpc":"2.0","id":"x","result":{"a": 1}}');
  });

  it('whose result has parts in bytes is answered by these parts, and in a batch as part of its text', async () => {
    const call = { transport: 'http', closed: new AbortController().signal } as const;
    const text = JSON.stringify(request(1, 'test_bytes', []));
    const whole = '{"jsonrpc":"2.0","id":1,"result":["ä"]}';
    const parts = await dispatch({ methods, context: {} }, text, call);
    expect(parts).toEqual(['{"jsonrpc":"2.0","id":1,"result":', '["', Buffer.from('ä'), '"]', '}']);
    expect(joinJson(parts ?? '').toString()).toBe(whole);
    expect(await dispatch({ methods, context: {} }, `[${text},${text}]`, call)).toBe(`[${whole},${whole}]`);
  });

  it('of no address counts for the empty one', async () => {
    const rateLimit = vi.fn();
    const call = { transport: 'http', closed: new AbortController().signal } as const;
    await dispatch({ methods, context: {}, rateLimit }, JSON.stringify(request(1)), call);
    expect(rateLimit.mock.calls).toEqual([[1, '']]);
  });

  it('whose answer has as many bytes as allowed is answered, one more is not', async () => {
    const size = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'a' }).length;
    expect(await answer(request(1), { maxResponse: size })).toMatchObject({ result: 'a' });
    expect(await answer(request(1), { maxResponse: size - 1 })).toEqual(error(1, -32_003, 'response too large'));
  });

  it('is told to the log only when it fails in a way that its method did not mean', async () => {
    const told: unknown[] = [];
    const onInternalError = (...words: unknown[]) => told.push(words);
    for (const name of ['test_refuse', 'test_no', 'test_none']) await answer(request(1, name, []), { onInternalError });
    expect(told).toEqual([]);
    await answer(request(1, 'test_break', []), { onInternalError });
    expect(told).toEqual([['test_break', expect.objectContaining({ message: 'broken' })]]);
  });

  it('is refused before it runs when its address sends too many; each of a batch counts', async () => {
    const asked: unknown[] = [];
    const rateLimit = (...words: unknown[]) => {
      asked.push(words);
      return new RpcError(RPC_CODE.limitExceeded, 'too many');
    };
    expect(await answer(request(1), { rateLimit })).toEqual(error(1, RPC_CODE.limitExceeded));
    expect(await answer([request(1), request(2)], { rateLimit })).toEqual(error(null, RPC_CODE.limitExceeded));
    expect(asked).toEqual([
      [1, '10.0.0.1'],
      [2, '10.0.0.1'],
    ]);
    expect(ran).toEqual([]);
  });
});
