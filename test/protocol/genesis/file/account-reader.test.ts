import { describe, expect, it } from 'vitest';
import {
  type AccountRules,
  isMap,
  numberOf,
  readAccounts,
} from '../../../../src/protocol/genesis/file/account-reader.ts';

const A = 'ab'.repeat(20);
const EXTRA: AccountRules = { prefix: '', nonceBits: 53, codeBytes: 4, ignoresUnknownKeys: false };
const GENESIS: AccountRules = { prefix: 'alloc.', nonceBits: 64, ignoresUnknownKeys: true };
const word = (digits: string) => `0x${digits.padStart(64, '0')}`;

function read(whole: Readonly<Record<string, unknown>>, rules: AccountRules) {
  const problems: string[] = [];
  return { accounts: readAccounts(whole, rules, problems), problems };
}

describe('accounts of a genesis file', () => {
  it('have quantities, lower case and words of 32 bytes', () => {
    const account = { balance: '10', nonce: 5, code: '0xABCD', storage: { '0xA': '0xFF', '02': '3' } };
    const expected = {
      balance: '0xa',
      nonce: '0x5',
      code: '0xabcd',
      storage: { [word('a')]: word('ff'), [word('2')]: word('3') },
    };
    for (const rules of [EXTRA, GENESIS])
      expect(read({ [A]: account }, rules)).toStrictEqual({ accounts: { [`0x${A}`]: expected }, problems: [] });
  });

  it.each([{}, { balance: null, nonce: null, code: null, storage: null }])(
    'lack the fields that %j lacks',
    (account) => {
      expect(read({ [A]: account }, EXTRA)).toStrictEqual({ accounts: { [`0x${A}`]: {} }, problems: [] });
    },
  );

  it.each([A, `0x${A}`, `0X${A}`, A.toUpperCase(), `0x${A.toUpperCase()}`])('may have the address %s', (key) => {
    expect(read({ [key]: {} }, GENESIS)).toEqual({ accounts: { [`0x${A}`]: {} }, problems: [] });
  });

  it.each([A.slice(1), `${A}0`, `0x${A}0`, `00${A}`, `x${A}`, `${A.slice(1)}g`, ` ${A}`, ''])(
    'are refused at the address "%s"',
    (key) => {
      const problem = (label: string) => ({ accounts: {}, problems: [`${label}: expected an address of 20 bytes`] });
      expect(read({ [key]: {} }, EXTRA)).toEqual(problem(`"${key}"`));
      expect(read({ [key]: {} }, GENESIS)).toEqual(problem(`alloc.${key}`));
    },
  );

  it.each([
    ['a long key', { ['z'.repeat(67)]: {} }, `"${'z'.repeat(66)}": expected an address of 20 bytes`],
    ['one address in two spellings', { [A]: {}, [`0x${A}`]: {} }, `"0x${A}": the address stands twice`],
    ['a list', { [A]: [] }, `${A}: expected a map with balance, nonce, code and storage`],
    ['text', { [A]: 'x' }, `${A}: expected a map with balance, nonce, code and storage`],
    ['another key', { [A]: { data: 1 } }, `${A}.data: expected balance, nonce, code or storage`],
    [
      'a balance of 257 bits',
      { [A]: { balance: String(2n ** 256n) } },
      `${A}.balance: expected a number of at most 256`,
    ],
    ['a nonce of 54 bits', { [A]: { nonce: String(2n ** 53n) } }, `${A}.nonce: expected a number of at most 53 bits`],
    ['a nonce in words', { [A]: { nonce: 'one' } }, `${A}.nonce: expected a number of at most 53 bits, found "one"`],
    ['code of 5 bytes', { [A]: { code: '0x0102030405' } }, `${A}.code: expected at most 4 bytes`],
    ['half a byte', { [A]: { code: '0x012' } }, `${A}.code: expected 0x and whole bytes`],
    ['code without 0x', { [A]: { code: '0102' } }, `${A}.code: expected 0x and whole bytes`],
    ['code before and after text', { [A]: { code: 'z0x01' } }, `${A}.code: expected 0x and whole bytes`],
    ['code with text behind', { [A]: { code: '0x01z' } }, `${A}.code: expected 0x and whole bytes`],
    ['code in a list', { [A]: { code: ['0x01'] } }, `${A}.code: expected 0x and whole bytes`],
    ['code that is a number', { [A]: { code: 1 } }, `${A}.code: expected 0x and whole bytes`],
    ['storage that is a list', { [A]: { storage: [] } }, `${A}.storage: expected a map of words`],
    [
      'a key of 33 bytes',
      { [A]: { storage: { ['1'.repeat(65)]: '1' } } },
      `${A}.storage.${'1'.repeat(65)}: expected words`,
    ],
    ['a longer key', { [A]: { storage: { ['1'.repeat(70)]: '1' } } }, `${A}.storage.${'1'.repeat(66)}: expected words`],
    [
      'a key without digits',
      { [A]: { storage: { '0x': '1' } } },
      `${A}.storage.0x: expected words of at most 32 bytes`,
    ],
    ['a value of 33 bytes', { [A]: { storage: { 1: '1'.repeat(65) } } }, `${A}.storage.1: expected words`],
    ['a value that is a number', { [A]: { storage: { 1: 1 } } }, `${A}.storage.1: expected words`],
    ['a value with a space', { [A]: { storage: { 1: '1 ' } } }, `${A}.storage.1: expected words`],
    ['a value behind a space', { [A]: { storage: { 1: ' 1' } } }, `${A}.storage.1: expected words`],
    [
      'one slot in two spellings',
      { [A]: { storage: { '0x1': '1', '01': '2' } } },
      `${A}.storage.01: the slot stands twice`,
    ],
  ])('are refused with %s', (_, whole, problem) => {
    expect(read(whole, EXTRA).problems).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    { balance: word('f'.repeat(64)), nonce: String(2n ** 53n - 1n), code: '0x01020304' },
    { balance: 0, nonce: 0, code: '0x', storage: { ['f'.repeat(64)]: `0x${'f'.repeat(64)}` } },
  ])('may have the values %j', (account) => {
    expect(read({ [A]: account }, EXTRA).problems).toEqual([]);
  });

  it('of a genesis file are refused with a long key by its beginning', () => {
    const problem = `alloc.${'z'.repeat(66)}: expected an address of 20 bytes`;
    expect(read({ ['z'.repeat(67)]: {} }, GENESIS).problems).toEqual([problem]);
  });

  it('keep the fields without a problem', () => {
    const account = { balance: -1, nonce: 1, code: '0x1', storage: { 1: '2', x: '3' }, more: 1 };
    const { accounts, problems } = read({ [A]: account }, EXTRA);
    expect(accounts).toStrictEqual({ [`0x${A}`]: { nonce: '0x1', storage: { [word('1')]: word('2') } } });
    expect(problems).toHaveLength(4);
  });

  it('of a genesis file may have other keys, code of any length and nonces of 64 bits', () => {
    const account = { nonce: String(2n ** 64n - 1n), code: `0x${'01'.repeat(5)}`, secretKey: '0x01' };
    expect(read({ [A]: account }, GENESIS)).toStrictEqual({
      accounts: { [`0x${A}`]: { nonce: '0xffffffffffffffff', code: account.code } },
      problems: [],
    });
    const { problems } = read({ [A]: { nonce: String(2n ** 64n) } }, GENESIS);
    expect(problems).toEqual([expect.stringContaining(`alloc.${A}.nonce: expected a number of at most 64 bits`)]);
  });

  it.each([
    [8, []],
    [9, ['1 more']],
    [20, ['12 more']],
  ])('with %i problems have eight in words behind those that are there, and %j', (count, more) => {
    const problems = ['an earlier one'];
    readAccounts(Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, {}])), GENESIS, problems);
    const listed = Array.from({ length: 8 }, (_, at) => `alloc.x${at}: expected an address of 20 bytes`);
    expect(problems).toEqual(['an earlier one', ...listed, ...more]);
  });
});

describe('a number of a genesis file', () => {
  it.each([
    [0, 0n],
    [7, 7n],
    [Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n],
    ['0', 0n],
    ['0012', 12n],
    ['0x1F', 31n],
    [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
    ['9'.repeat(78), 10n ** 78n - 1n],
    [-1, undefined],
    [1.5, undefined],
    [2 ** 53, undefined],
    ['', undefined],
    ['0x', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    [' 1', undefined],
    ['1 ', undefined],
    ['0X1', undefined],
    [`0x${'f'.repeat(65)}`, undefined],
    ['9'.repeat(79), undefined],
    [true, undefined],
    [null, undefined],
    [undefined, undefined],
    [[1], undefined],
  ])('written %j is %s', (value, expected) => {
    expect(numberOf(value)).toBe(expected);
  });
});

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['{}', false],
  [1, false],
])('the value %j of a document is a map: %s', (value, expected) => {
  expect(isMap(value)).toBe(expected);
});
