import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { method, param, parameterOf } from '../../src/rpc/method.ts';

const HASH = `0x${'aB'.repeat(32)}`;
const ADDRESS = `0x${'Cd'.repeat(20)}`;
const problemOf = (type: z.ZodType, value: unknown) => type.safeParse(value).error?.issues[0]?.message;

describe('a parameter', () => {
  it.each<[string, z.ZodType, readonly unknown[], readonly unknown[]]>([
    [
      'a 32-byte hash',
      param.hash,
      [HASH],
      [HASH.slice(2), `${HASH}0`, HASH.slice(0, -1), ` ${HASH}`, `0x${'g'.repeat(64)}`, [HASH], null, 7],
    ],
    ['a 20-byte address', param.address, [ADDRESS], [`${ADDRESS}00`, ADDRESS.slice(0, -2), `x${ADDRESS}`, [ADDRESS]]],
    ['hex data', param.data, ['0x', '0xaB', '0x0012'], ['', '12', '0x1', '0xzz', '0x12 ', ' 0x12', ['0x12'], 18]],
  ])('that is %s keeps its text, and is refused in another form', (name, type, good, bad) => {
    for (const value of good) expect(type.parse(value)).toBe(value);
    for (const value of bad) expect(problemOf(type, value), JSON.stringify(value)).toBe(`expected ${name}`);
  });

  it.each<[string, bigint]>([
    ['0x0', 0n],
    ['0xa', 10n],
    ['0xFf', 255n],
    ['0x10', 16n],
    [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
  ])('that is the quantity %s is read as %s', (text, value) => {
    expect(param.quantity.parse(text)).toBe(value);
  });

  it.each(['0x', '0x00', '0x01', '1', '', '0xg', '-0x1', ' 0x1', '0x1 ', `0x1${'0'.repeat(64)}`, ['0x1'], 1, null])(
    'that is no quantity is refused: %j',
    (value) => {
      expect(problemOf(param.quantity, value)).toBe('expected a hex quantity');
    },
  );

  it('that a function reads has its value, or its error as the problem', () => {
    const type = parameterOf((json) => {
      if (json === 'odd') throw 'no error object';
      if (typeof json !== 'number') throw new Error(`${json} is no number`);
      return json + 1;
    });
    expect(type.parse(1)).toBe(2);
    expect(problemOf(type, 'a')).toBe('a is no number');
    expect(problemOf(type, 'odd')).toBe('no error object');
    expect(type.safeParse('a').error?.issues[0]?.code).toBe('custom');
  });
});

it('a method has a summary, the schema of its parameters, and its handler', () => {
  const add = method('adds', z.tuple([z.number()]), (base: number, [more]) => base + more);
  expect(add.summary).toBe('adds');
  expect(add.params.parse([2])).toEqual([2]);
  expect(add.handle(1, [2], { transport: 'http', closed: new AbortController().signal })).toBe(3);
});
