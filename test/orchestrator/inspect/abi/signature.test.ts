import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../../../src/orchestrator/inspect/abi/signature.ts';

const item = (...inputs: readonly object[]) => ({ type: 'function', name: 'f', inputs });
const of = (type: string, more: object = {}) => signatureOf(item({ type, ...more }));

describe('the signature of an entry', () => {
  it('has its types alone, and in words its names', () => {
    const inputs = [{ type: 'address', name: 'to', indexed: true }, { type: 'uint256', name: '' }, { type: 'bytes' }];
    expect(signatureOf({ type: 'function', name: 'pay', inputs })).toEqual({
      ...{ kind: 'function', canonical: 'pay(address,uint256,bytes)' },
      readable: 'function pay(address to, uint256, bytes)',
    });
    expect(signatureOf({ type: 'event', name: 'Paid', inputs })).toEqual({
      ...{ kind: 'event', canonical: 'Paid(address,uint256,bytes)' },
      readable: 'event Paid(address indexed to, uint256, bytes)',
    });
    expect(signatureOf({ type: 'error', name: 'Bad', inputs: [] })).toEqual({
      ...{ kind: 'error', canonical: 'Bad()', readable: 'error Bad()' },
    });
  });

  it('has tuples with the names of their parts', () => {
    const point = { type: 'tuple[2][]', name: 'p', components: [{ type: 'uint8', name: 'x' }, { type: 'bool' }] };
    const nested = { type: 'tuple', components: [point, { type: 'int256', name: 'z' }] };
    expect(signatureOf(item(nested))).toMatchObject({
      ...{ canonical: 'f(((uint8,bool)[2][],int256))', readable: 'function f(((uint8 x, bool)[2][] p, int256 z))' },
    });
    const indexed = { ...point, indexed: true };
    expect(signatureOf({ type: 'event', name: 'E', inputs: [indexed] })).toMatchObject({
      ...{ readable: 'event E((uint8 x, bool)[2][] indexed p)' },
    });
  });

  it.each([
    ...[
      'address',
      'bool',
      'string',
      'function',
      'bytes',
      'bytes1',
      'bytes9',
      'bytes10',
      'bytes29',
      'bytes30',
      'bytes32',
    ],
    ...['uint8', 'uint16', 'uint248', 'uint256', 'int8', 'int256', 'bool[]', 'bool[3]', 'bool[9999]', 'uint8[][2]'],
    `bool${'[]'.repeat(8)}`,
  ])('is that of the type %s', (type) => {
    expect(of(type)?.canonical).toBe(`f(${type})`);
  });

  it.each([
    ...['uint', 'int', 'uint0', 'uint7', 'uint9', 'uint264', 'uint1000', 'bytes0', 'bytes33', 'bytes40', 'addresses'],
    ...['xaddress', 'Bool', '', 'bool[', 'bool]', 'bool[-1]', 'bool[10000]', 'bool[3]x', 'x[3]', 'address payable'],
    ...[`bool${'[]'.repeat(9)}`, 'tuples', 'uint8 ', 'bool\n', 'x\nbool'],
  ])('is none of the type %j', (type) => {
    expect(of(type)).toBeNull();
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a list', []],
    ['no type', { name: 'f', inputs: [] }],
    ['a type that is no text', { type: 5 }],
    ['no name', { type: 'function', inputs: [] }],
    ['a name that is no word', { type: 'function', name: 'f g', inputs: [] }],
    ['a name that begins with a digit', { type: 'function', name: '1f', inputs: [] }],
    ['a name of 129 letters', { type: 'function', name: 'f'.repeat(129), inputs: [] }],
    ['no inputs', { type: 'function', name: 'f' }],
    ['an input that is no object', { type: 'function', name: 'f', inputs: ['bool'] }],
    ['an input whose type is a list', { type: 'function', name: 'f', inputs: [{ type: ['bool'] }] }],
    ['an input whose type is no text', { type: 'function', name: 'f', inputs: [{ type: 5 }] }],
    ['a tuple without components', item({ type: 'tuple' })],
    ['an empty tuple', item({ type: 'tuple', components: [] })],
    ['a tuple with a bad part', item({ type: 'tuple', components: [{ type: 'bool' }, { type: 'uint7' }] })],
    ['a tuple with a bad suffix', item({ type: 'tuple[', components: [{ type: 'bool' }] })],
  ])('is invalid with %s', (_, entry) => {
    expect(signatureOf(entry)).toBeNull();
  });

  it('is left out of entries that are not decoded', () => {
    for (const type of ['constructor', 'fallback', 'receive']) expect(signatureOf({ type })).toBeUndefined();
    expect(signatureOf({ type: 'event', name: 'E', inputs: [], anonymous: true })).toBeUndefined();
    expect(signatureOf({ type: 'event', name: 'E', inputs: [], anonymous: false })).toMatchObject({ kind: 'event' });
  });

  it('takes names of 128 letters, and leaves out names of parameters that are none', () => {
    expect(signatureOf({ type: 'function', name: `_$${'f'.repeat(126)}`, inputs: [] })).not.toBeNull();
    for (const name of ['a b', '1a', '<img>', 'n'.repeat(129), 5, undefined])
      expect(of('bool', { name })).toMatchObject({ readable: 'function f(bool)' });
    expect(of('bool', { name: '_a$1' })).toMatchObject({ readable: 'function f(bool _a$1)' });
  });

  it('takes tuples in each other, at most 16', () => {
    const nested = (depth: number): object =>
      depth === 1 ? { type: 'bool' } : { type: 'tuple', components: [nested(depth - 1)] };
    expect(signatureOf(item(nested(16)))).toMatchObject({ kind: 'function' });
    expect(signatureOf(item(nested(17)))).toBeNull();
  });
});
