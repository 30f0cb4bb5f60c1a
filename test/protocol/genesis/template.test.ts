import { describe, expect, it } from 'vitest';
import { fill, word } from '../../../src/protocol/genesis/template.ts';

describe('template', () => {
  const slots = { owner: 2, chainId: 1 };
  it.each([
    ['6001', '6001'],
    [[], ''],
    [['60', { slot: 'owner' }, '5b', { slot: 'chainId' }], '60abcd5b07'],
  ])('%j is filled', (template, expected) => {
    expect(fill(template, { owner: 'abcd', chainId: '07' }, slots)).toBe(expected);
  });

  it.each([
    ['without a value', {}, slots, 'slot-missing', { slot: 'owner' }],
    ['without a width', { owner: 'abcd' }, {}, 'slot-missing', { slot: 'owner' }],
    ['with a value that is too short', { owner: 'abc' }, slots, 'slot-width', { slot: 'owner', value: 'abc' }],
    ['with a value that is too long', { owner: 'abcde' }, slots, 'slot-width', { slot: 'owner', value: 'abcde' }],
  ])('is refused with a slot %s', (_, values, widths, code, data) => {
    expect(() => fill([{ slot: 'owner' }], values, widths)).toThrow(
      expect.objectContaining({ name: 'GenesisError', code, data }),
    );
  });
});

describe('word', () => {
  it.each([
    ['0xABcd', 3, '00abcd'],
    ['abcd', 2, 'abcd'],
    ['0x', 1, '00'],
    [255, 1, 'ff'],
    [256n, 4, '00000100'],
  ])('of %s in %i bytes is %s', (value, bytes, expected) => {
    expect(word(value, bytes)).toBe(expected);
  });

  it.each([
    [256, 1],
    [-1, 8],
    ['0xabc', 1],
    ['a0x', 1],
  ])('of %s does not fit %i bytes', (value, bytes) => {
    expect(() => word(value, bytes)).toThrow(
      expect.objectContaining({ code: 'slot-width', data: { value: String(value) } }),
    );
  });
});
