import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytesText,
  forkSeconds,
  forkTimeText,
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
  ])('is refused: %j', (value) => {
    expect(parseForkTime(value)).toBeUndefined();
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
  it.each([
    ['10000 ether', 10_000n * 10n ** 18n],
    ['1.5 gwei', 1_500_000_000n],
    ['0.000000000000000001 ether', 1n],
    ['7 wei', 7n],
    ['7', 7n],
    [7, 7n],
  ])('%j', (value, wei) => {
    expect(parseWei(value)).toBe(wei);
  });

  it.each(['', 'ether', '-1 ether', '1.5 wei', '1e18', '0x10', -1, 1.5, `${'9'.repeat(60)} ether`, null])(
    'is refused: %j',
    (value) => {
      expect(parseWei(value)).toBeUndefined();
    },
  );

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
])('the size %j', (value, bytes) => {
  expect(parseBytes(value)).toBe(bytes);
  if (bytes !== undefined) expect(parseBytes(bytesText(bytes))).toBe(bytes);
});

it.each([
  ['20s', 20],
  ['1h2m3s', 3723],
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
