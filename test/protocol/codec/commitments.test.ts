import { concat, keccak256, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { l1AttributesDeposit } from '../../../src/protocol/codec/l1-attributes-deposit.ts';
import { outputRoot } from '../../../src/protocol/codec/output-root.ts';
import { l1AttributesSourceHash, userDepositSourceHash } from '../../../src/protocol/codec/source-hash.ts';
import { rulesAt } from '../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { L1BlockInfo } from '../../../src/protocol/rules/rules.ts';

const [a, b, c] = [`0x${'0a'.repeat(32)}`, `0x${'0b'.repeat(32)}`, `0x${'0c'.repeat(32)}`] as const;
const word = (value: number) => numberToHex(value, { size: 32 });

describe('hashes of the specification', () => {
  test('an output root is of version, state root, message passer and block', () => {
    expect(outputRoot(a, b, c)).toBe(keccak256(concat([word(0), a, b, c])));
    for (const short of ['0x', `0x${'00'.repeat(31)}`] as const) expect(() => outputRoot(short, b, c)).toThrow();
  });

  test('source hashes are of their domain, L1 block and place in it', () => {
    const hashOf = (domain: number, place: number) =>
      keccak256(concat([word(domain), keccak256(concat([a, word(place)]))]));
    expect(userDepositSourceHash(a, 7)).toBe(hashOf(0, 7));
    expect(l1AttributesSourceHash(a, 7)).toBe(hashOf(1, 7));
  });

  test('the first deposit of a block holds what its rules say of the L1 origin', () => {
    const info: L1BlockInfo = {
      ...{ number: 5, timestamp: 9, baseFee: 7n, hash: a, sequenceNumber: 3 },
      ...{ batcherAddr: `0x${'11'.repeat(20)}`, l1FeeOverhead: word(188), l1FeeScalar: word(684_000) },
      ...{ baseFeeScalar: 0, blobBaseFeeScalar: 0, blobBaseFee: 1n },
      ...{ operatorFeeScalar: 0, operatorFeeConstant: 0n, daFootprintGasScalar: 0 },
    };
    for (const [schedule, gas, isSystemTransaction] of [
      [{}, 150_000_000, true],
      [{ regolith: 0 }, 1_000_000, false],
    ] as const) {
      const codec = rulesAt(schedule, 0).l1Attributes;
      const deposit = l1AttributesDeposit(info, codec);
      expect(deposit).toMatchObject({ gas, isSystemTransaction, mint: 0n, value: 0n });
      expect(deposit.from).toBe('0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001');
      expect(deposit.to).toBe('0x4200000000000000000000000000000000000015');
      expect(deposit.sourceHash).toBe(l1AttributesSourceHash(a, 3));
      expect(hexToBytes(deposit.data)).toEqual(codec.encode(info));
    }
  });
});
