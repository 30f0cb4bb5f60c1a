import { describe, expect, test } from 'vitest';
import { ethereumRulesAt } from '../../../src/protocol/forks/ethereum.ts';
import { noExtraData } from '../../../src/protocol/rules/extra-data/none.ts';
import { shortExtraData } from '../../../src/protocol/rules/extra-data/short.ts';
import { version0ExtraData } from '../../../src/protocol/rules/extra-data/version-0.ts';
import { version1ExtraData } from '../../../src/protocol/rules/extra-data/version-1.ts';
import type { ExtraDataRules } from '../../../src/protocol/rules/rules.ts';
import type { Hex } from '../../../src/protocol/types.ts';

const constants = { denominator: 250, elasticity: 6, minBaseFee: 0 };

describe('extraData', () => {
  test.each<[string, ExtraDataRules, number]>([
    ['none', noExtraData, 0],
    ['of Ethereum', shortExtraData, 0],
    ['version 0', version0ExtraData, 9],
    ['version 1', version1ExtraData, 17],
  ])('%s is made with its length in bytes', (_, rules, length) => {
    const made = rules.encode({ denominator: 8, elasticity: 2, minBaseFee: 3 }, constants);
    expect(rules.length).toBe(length);
    expect(made).toHaveLength(2 + 2 * length);
  });

  test.each<[string, ExtraDataRules, Hex]>([
    ['no bytes before holocene', noExtraData, '0x'],
    ['no bytes on Ethereum', shortExtraData, '0x'],
    ['32 bytes on Ethereum', shortExtraData, `0x${'ab'.repeat(32)}`],
  ])('says nothing of fees: %s', (_, rules, extraData) => {
    expect(rules.decode(extraData)).toBeNull();
  });

  test.each<[string, ExtraDataRules, Hex]>([
    ['one byte before holocene', noExtraData, '0x00'],
    ['33 bytes on Ethereum', shortExtraData, `0x${'ab'.repeat(33)}`],
    ['no bytes in holocene', version0ExtraData, '0x'],
    ['a byte too few in holocene', version0ExtraData, '0x0000000001000000'],
    ['a byte too many in holocene', version0ExtraData, '0x00000000010000000200'],
    ['a zero denominator', version0ExtraData, '0x000000000000000002'],
    ['a zero elasticity', version0ExtraData, '0x000000000100000000'],
    ['both zero', version0ExtraData, '0x000000000000000000'],
    ['a zero elasticity in jovian', version1ExtraData, '0x0100000001000000000000000000000003'],
    ['a byte too many in jovian', version1ExtraData, '0x010000000100000002000000000000000300'],
  ])('makes the block invalid: %s', (_, rules, extraData) => {
    expect(() => rules.decode(extraData)).toThrow(
      expect.objectContaining({ code: 'extra-data-invalid', handling: 'drop', data: { extraData } }),
    );
  });

  test('takes the constants of the chain only when both parameters are zero', () => {
    const encode = (denominator: number, elasticity: number) =>
      version0ExtraData.encode({ denominator, elasticity, minBaseFee: 0 }, constants);
    expect(encode(0, 0)).toBe('0x00000000fa00000006');
    expect(encode(0, 2)).toBe('0x000000000000000002');
    expect(encode(8, 0)).toBe('0x000000000800000000');
  });
});

test('Ethereum has no L1 fee, whatever its state holds', () => {
  expect(ethereumRulesAt({ paris: 0 }, 0).l1Fee.read(() => 1n)).toBeNull();
});
