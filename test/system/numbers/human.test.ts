import { expect, it } from 'vitest';
import { digitGroups, etherText, spanText } from '../../../src/system/numbers/human.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
  ['-1234.5678', '-1,234.5678'],
])('the digits of %s are grouped as %s', (value, text) => {
  expect(digitGroups(value)).toBe(text);
});

it.each([
  [0.4, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [65.9, '1 min 6 s'],
  [-3, '0 s'],
  [12_000, '3 h 20 min'],
  [90_000, '1 d 1 h'],
])('a span of %d s is written as %s', (seconds, text) => {
  expect(spanText(seconds)).toBe(text);
});

it.each([
  [0n, '0 wei'],
  [99_999n, '99,999 wei'],
  [100_000n, '0.0001 gwei'],
  [936_499_044n, '0.936499044 gwei'],
  [99_999_000_000_000n, '99,999 gwei'],
  [1_500_000_000_000_000_000n, '1.5 ether'],
  [12_345_000_000_000_000_000_001n, '12,345.000000000000000001 ether'],
  [-(10n ** 18n), '-1 ether'],
])('an amount of %s wei is written exactly, as %s', (wei, text) => {
  expect(etherText(wei)).toBe(text);
});
