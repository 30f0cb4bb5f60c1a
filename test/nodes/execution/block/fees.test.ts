import { expect, it } from 'vitest';
import { extraFees, readFees } from '../../../../src/nodes/execution/block/fees.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { ethereumRulesAt } from '../../../../src/protocol/forks/ethereum.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';

const rollup = (fork: Parameters<typeof upTo>[0]) => rulesAt(upTo(fork), 10n);
/** Operator scalar 2 and constant 9, in the slot of L1Block. */
const word = (address: Uint8Array, slot: Uint8Array) => {
  expect(bytesToHex(address)).toBe(PREDEPLOYS.l1Block);
  return Buffer.compare(slot, u256be(8)) === 0 ? u256be((2n << 64n) | 9n) : u256be(1);
};

it('the fees of a block are those of its rules', () => {
  const present = (fork: Parameters<typeof upTo>[0]) => {
    const { l1, operator, footprint } = readFees(rollup(fork), word);
    return [l1, operator, footprint].map((part) => part !== null);
  };
  expect(present('granite')).toEqual([true, false, false]);
  expect(present('isthmus')).toEqual([true, true, false]);
  expect(present('jovian')).toEqual([true, true, true]);
});

it('a transaction pays its L1 fee, and the operator for the gas from isthmus on', () => {
  const feesOf = (fork: Parameters<typeof upTo>[0]) => extraFees(rollup(fork), readFees(rollup(fork), word), 5n);
  expect(feesOf('granite')).toEqual({ l1Fee: 5n, operatorFee: null });
  const isthmus = feesOf('isthmus');
  expect([isthmus?.l1Fee, isthmus?.operatorFee?.(1_000_000n)]).toEqual([5n, 11n]);
});

it('a transaction of plain Ethereum pays for its gas alone', () => {
  const rules = ethereumRulesAt({ shanghai: 0, cancun: 0 }, 10n);
  expect(extraFees(rules, readFees(rollup('isthmus'), word), 5n)).toBeNull();
});
