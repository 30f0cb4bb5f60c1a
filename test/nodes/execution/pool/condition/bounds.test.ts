import { describe, expect, test } from 'vitest';
import {
  brokenByHeader,
  brokenByState,
  conditionCost,
  contradiction,
  type TransactionCondition,
} from '../../../../../src/nodes/execution/pool/condition/condition.ts';
import { stateFor, toWord } from '../../../../../src/nodes/execution/pool/condition/condition-state.ts';
import { u256be } from '../../../../../src/protocol/bytes.ts';
import { bytesToHex } from '../../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { stateOf } from '../../support/memory-state.ts';

const ONE: Hex = `0x${'11'.repeat(20)}`;
const TWO: Hex = `0x${'22'.repeat(20)}`;
const word = (value: number): Hex => bytesToHex(u256be(value));
const EMPTY_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** A condition with these bounds or accounts alone. */
const condition = (fields: Partial<TransactionCondition>): TransactionCondition => ({
  knownAccounts: new Map(),
  blockNumberMin: undefined,
  blockNumberMax: undefined,
  timestampMin: undefined,
  timestampMax: undefined,
  ...fields,
});
const words = (...values: readonly number[]) => new Map(values.map((value, slot) => [word(slot), word(value)]));

describe('the cost of a condition', () => {
  test.each<[string, Partial<TransactionCondition>, number]>([
    ['without bounds and accounts', {}, 0],
    ['with the least block', { blockNumberMin: 1n }, 1],
    ['with the last block', { blockNumberMax: 1n }, 1],
    ['with both blocks', { blockNumberMin: 1n, blockNumberMax: 2n }, 1],
    ['with the least time', { timestampMin: 1n }, 1],
    ['with the last time', { timestampMax: 1n }, 1],
    ['with a block and a time', { blockNumberMax: 1n, timestampMin: 1n }, 2],
    ['with a storage root', { knownAccounts: new Map([[ONE, word(1)]]) }, 2],
    ['with an account without slots', { knownAccounts: new Map([[ONE, new Map()]]) }, 1],
    ['with three slots', { knownAccounts: new Map([[ONE, words(1, 2, 3)]]) }, 4],
    [
      'with two accounts',
      {
        knownAccounts: new Map<Hex, Hex | Map<Hex, Hex>>([
          [ONE, words(1, 2)],
          [TWO, word(1)],
        ]),
      },
      5,
    ],
  ])('%s counts its lookups', (_, fields, cost) => {
    expect(conditionCost(condition(fields))).toBe(cost);
  });
});

describe('a condition that no block can satisfy', () => {
  const NUMBER = 'block number minimum constraint must be less than the maximum';
  const TIME = 'timestamp minimum constraint must be less than the maximum';
  test.each<[Partial<TransactionCondition>, string | undefined]>([
    [{ blockNumberMin: 2n, blockNumberMax: 1n }, NUMBER],
    [{ blockNumberMin: 2n, blockNumberMax: 2n }, undefined],
    [{ blockNumberMin: 2n }, undefined],
    [{ blockNumberMax: 0n }, undefined],
    [{ timestampMin: 2n, timestampMax: 1n }, TIME],
    [{ timestampMin: 2n, timestampMax: 2n }, undefined],
    [{ timestampMin: 2n }, undefined],
    [{ timestampMax: 0n }, undefined],
  ])('has op-geth’s error: %o', (fields, error) => {
    expect(contradiction(condition(fields))).toBe(error);
  });
});

describe('a header', () => {
  test.each<[Partial<TransactionCondition>, number: bigint, time: bigint, string | undefined]>([
    [{}, 0n, 0n, undefined],
    [{ blockNumberMin: 5n }, 5n, 0n, undefined],
    [{ blockNumberMin: 5n }, 4n, 0n, 'failed block number minimum constraint'],
    [{ blockNumberMax: 5n }, 5n, 9n, undefined],
    [{ blockNumberMax: 5n }, 6n, 0n, 'failed block number maximmum constraint'],
    [{ timestampMin: 5n }, 0n, 5n, undefined],
    [{ timestampMin: 5n }, 9n, 4n, 'failed timestamp minimum constraint'],
    [{ timestampMax: 5n }, 9n, 5n, undefined],
    [{ timestampMax: 5n }, 0n, 6n, 'failed timestamp maximum constraint'],
  ])('is checked against the inclusive bounds %o at block %s and time %s', (fields, number, time, error) => {
    expect(brokenByHeader(condition(fields), number, time)).toBe(error);
  });
});

describe('a state', () => {
  const { reader } = stateOf({ [ONE]: { nonce: '1', storage: { [word(0)]: word(7), [word(1)]: word(8) } } });
  const root = bytesToHex(reader.account(Buffer.from(ONE.slice(2), 'hex'))!.storageRoot);
  const problem = (...accounts: readonly (readonly [Hex, Hex | ReadonlyMap<Hex, Hex>])[]) =>
    brokenByState(condition({ knownAccounts: new Map(accounts) }), stateFor(reader));

  test('satisfies the words and roots that it has, and zeros of absent accounts', () => {
    expect(problem()).toBeUndefined();
    expect(problem([ONE, words(7, 8, 0)], [TWO, words(0)])).toBeUndefined();
    expect(problem([ONE, root], [TWO, EMPTY_ROOT])).toBeUndefined();
  });

  test('violates a condition by the first value that differs', () => {
    expect(problem([TWO, EMPTY_ROOT], [ONE, words(7, 9, 9)])).toEqual({
      kind: 'word',
      slot: word(1),
      actual: word(8),
      expected: word(9),
    });
    expect(problem([ONE, words(7)], [TWO, words(1)])).toMatchObject({ kind: 'word', actual: word(0) });
    expect(problem([ONE, root], [TWO, root])).toEqual({ kind: 'root', actual: EMPTY_ROOT, expected: root });
  });

  test('has words of 32 bytes', () => {
    expect([toWord(new Uint8Array(0)), toWord(Uint8Array.of(1, 2))]).toEqual([word(0), word(0x102)]);
  });
});
