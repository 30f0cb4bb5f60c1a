import { expect, it } from 'vitest';
import { amount, phaseClass, plainText } from '../../../src/page/parts/values.ts';

it.each([
  ['ready', 'good'],
  ['starting', 'dim'],
  ['waiting', 'dim'],
  ['manual', 'dim'],
  ['unhealthy', 'bad'],
  ['silent', 'bad'],
  ['stopped', 'bad'],
])('the phase %s is drawn as %s', (phase, kind) => {
  expect(phaseClass(phase)).toBe(kind);
});

it.each([
  ['0', '0 wei'],
  ['99999', '99,999 wei'],
  ['100000', '0.0001 gwei'],
  ['14600000', '0.0146 gwei'],
  ['1000000000', '1 gwei'],
  ['123456789000', '123.46 gwei'],
  ['24130000200000', '24,130 gwei'],
  ['99999999999999', '100,000 gwei'],
  ['100000000000000', '0.0001 ether'],
  ['1999950000000000000', '2 ether'],
  ['1000000000000000000000', '1,000 ether'],
  ['-1500000000000000000', '-1.5 ether'],
])('an amount of %s wei is written as %s', (wei, text) => {
  expect(amount(wei)).toBe(text);
});

it('control characters and those that turn the direction of text are replaced', () => {
  expect(plainText('a\u001b[31mred\u202egnp\u0000<b>ä')).toBe('a�[31mred�gnp�<b>ä');
});
