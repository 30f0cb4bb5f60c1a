import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytesText,
  forkSeconds,
  forkTimeText,
  forkTimeWord,
  parseBytes,
  parseForkTime,
  parseSeconds,
  parseWei,
  weiText,
} from '../../../../src/orchestrator/spec/schema/values.ts';
import { nearest } from '../../../../src/orchestrator/spec/text/nearest.ts';

const clock = { genesisTime: 1000, blockTime: 2, now: 1500 };

describe('an activation time', () => {
  it.each([
    ['genesis', 0],
    ['never', undefined],
    ['+20s', 1020],
    ['+1m30s', 1090],
    ['+0s', 0],
    ['now+20s', 1520],
    [1234, 1234],
    ['1234', 1234],
    [{ block: 40 }, 1080],
    ['block:40', 1080],
    [{ block: 0 }, 0],
    ['now+0s', 1500],
    [1, 1],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('%j', (value, seconds) => {
    expect(forkSeconds(parseForkTime(value)!, clock)).toBe(seconds);
  });

  it.each([
    '',
    '+',
    '20s',
    '-20s',
    '+20',
    '+s',
    'now',
    'now+',
    'tomorrow',
    0,
    -5,
    1.5,
    true,
    null,
    [],
    { block: -1 },
    { block: 1.5 },
    { blocks: 4 },
    { block: 4, time: 5 },
    { block: '4' },
    { block: 2 ** 53 },
    2 ** 53,
    undefined,
    '0',
    '0123',
    '12345678901234567',
    '12x',
    'x12',
    'block:',
    'block:4x',
    'xblock:4',
    'block:-4',
    'block',
    'xnow+20s',
    'x+20s',
    '+20sx',
    '+20s\nx',
    ['+20s'],
    '+20s ',
    '++20s',
  ])('is refused: %j', (value) => {
    expect(parseForkTime(value)).toBeUndefined();
  });

  it.each([
    ['genesis', 'genesis', 'genesis'],
    ['never', 'never', 'never'],
    ['+1m30s', '+90s', '+90s'],
    ['now+1m', 'now+60s', 'now+60s'],
    ['1234', 1234, '1234'],
    [1234, 1234, '1234'],
    ['block:40', { block: 40 }, 'block:40'],
    [{ block: 40 }, { block: 40 }, 'block:40'],
  ])('%j is written as %j, and on a command line as %s', (value, written, word) => {
    const time = parseForkTime(value)!;
    expect(forkTimeText(time)).toEqual(written);
    expect(forkTimeWord(time)).toBe(word);
  });

  it('written and read again is the same', () => {
    const natural = fc.nat({ max: 1e9 });
    const time = fc.oneof(
      fc.constantFrom({ kind: 'genesis' } as const, { kind: 'never' } as const),
      natural.map((seconds) => ({ kind: 'after', seconds }) as const),
      natural.map((seconds) => ({ kind: 'now', seconds }) as const),
      fc.integer({ min: 1, max: 1e12 }).map((at) => ({ kind: 'at', time: at }) as const),
      natural.map((block) => ({ kind: 'block', block }) as const),
    );
    fc.assert(
      fc.property(time, (value) => {
        expect(parseForkTime(forkTimeText(value))).toEqual(value);
      }),
    );
  });
});

describe('an amount', () => {
  const etherText = (wei: bigint) => `${wei / 10n ** 18n}.${String(wei % 10n ** 18n).padStart(18, '0')} ether`;

  it.each([
    ['10000 ether', 10_000n * 10n ** 18n],
    ['1.5 gwei', 1_500_000_000n],
    ['0.000000000000000001 ether', 1n],
    ['7 wei', 7n],
    ['7', 7n],
    [7, 7n],
    [0, 0n],
    ['1.0', 1n],
    ['1ether', 10n ** 18n],
    ['2  gwei', 2n * 10n ** 9n],
    ['1.000000001 gwei', 1_000_000_001n],
    ['0.5 ether', 5n * 10n ** 17n],
    [etherText(2n ** 200n - 1n), 2n ** 200n - 1n],
  ])('%j', (value, wei) => {
    expect(parseWei(value)).toBe(wei);
  });

  it.each([
    '',
    ['7'],
    [7],
    'ether',
    '-1 ether',
    '1.5 wei',
    '1.5',
    '1.0000000001 gwei',
    '1. gwei',
    '.5 gwei',
    '0.0000000000000000000 ether',
    '1e18',
    '0x10',
    ' 7',
    'x7',
    '7 WEI',
    '7 wei x',
    -1,
    1.5,
    2 ** 53,
    `${'9'.repeat(60)} ether`,
    `${'0'.repeat(60)}1`,
    etherText(2n ** 200n),
    null,
    true,
  ])('is refused: %j', (value) => {
    expect(parseWei(value)).toBeUndefined();
  });

  it.each([
    [0n, '0 wei'],
    [1n, '1 wei'],
    [999_999_999n, '999999999 wei'],
    [10n ** 9n, '1 gwei'],
    [10n ** 9n + 1n, '1000000001 wei'],
    [10n ** 15n - 1n, '999999999999999 wei'],
    [10n ** 15n, '1000000 gwei'],
    [10n ** 15n + 10n ** 9n - 1n, '0.001000000999999999 ether'],
    [10n ** 15n + 1n, '0.001000000000000001 ether'],
    [10n ** 17n + 10n, '0.10000000000000001 ether'],
    [10n ** 18n, '1 ether'],
    [10n ** 18n + 10n ** 9n, '1000000001 gwei'],
    [2n * 10n ** 18n + 1n, '2.000000000000000001 ether'],
    [10n ** 22n, '10000 ether'],
  ])('of %s wei is written as %s', (wei, text) => {
    expect(weiText(wei)).toBe(text);
  });

  it('written and read again is the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 100n }), (wei) => {
        expect(parseWei(weiText(wei))).toBe(wei);
      }),
    );
  });
});

it.each([
  ['50 MB', 50_000_000],
  ['64kB', 64_000],
  ['1 GB', 1_000_000_000],
  [65_536, 65_536],
  ['63 kB', undefined],
  ['1001 GB', undefined],
  ['50 mb', undefined],
  ['-1 GB', undefined],
  ['', undefined],
  [null, undefined],
  ['64 kB', 64_000],
  [64_000, 64_000],
  [63_999, undefined],
  ['1000 GB', 1e12],
  ['999999999999', 999_999_999_999],
  ['1000000000000', undefined],
  ['64  kB', undefined],
  ['x64 kB', undefined],
  ['64 kBx', undefined],
  ['64 TB', undefined],
])('the size %j', (value, bytes) => {
  expect(parseBytes(value)).toBe(bytes);
  if (bytes !== undefined) expect(parseBytes(bytesText(bytes))).toBe(bytes);
});

it.each([
  [64_000, '64 kB'],
  [1_500_000, '1500 kB'],
  [50_000_000, '50 MB'],
  [1_000_000_000, '1 GB'],
  [1e12, '1000 GB'],
  [65_536, 65_536],
])('%i bytes are written as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

it.each([
  ['20s', 20],
  ['5m', 300],
  ['1h2m3s', 3723],
  ['1h3s', 3603],
  ['999999h', 3_599_996_400],
  ['1000000h', undefined],
  ['99999999m', 5_999_999_940],
  ['100000000m', undefined],
  ['999999999999s', 999_999_999_999],
  ['1000000000000s', undefined],
  ['x20s', undefined],
  ['20sx', undefined],
  ['h', undefined],
  ['2h', 7200],
  ['', undefined],
  ['20', undefined],
  ['3s2m', undefined],
])('the duration %j', (text, seconds) => {
  expect(parseSeconds(text)).toBe(seconds);
});

it.each([
  ['blokTime', 'blockTime'],
  ['BLOCKTIME', 'blockTime'],
  ['sequencer', undefined],
  ['chianId', 'chainId'],
  ['x', undefined],
])('the nearest word to %s is found', (word, expected) => {
  expect(nearest(word, ['blockTime', 'chainId', 'gasLimit'])).toBe(expected);
});
