import { describe, expect, test } from 'vitest';
import { TransactionInvalid } from '../../../../src/nodes/execution/transaction/errors.ts';
import {
  checkGas,
  intrinsicGas,
  MAX_INIT_CODE,
  type MeteredShape,
} from '../../../../src/nodes/execution/transaction/intrinsic-gas.ts';
import type { EvmLevel } from '../../../../src/protocol/rules/evm-level.ts';

const TO = new Uint8Array(20).fill(1);
const TRANSFER: MeteredShape = { to: TO, data: new Uint8Array(0), accessList: [], authorizationList: [] };
const CREATION: MeteredShape = { ...TRANSFER, to: null };
const entry = (keys: number) => ({ address: TO, storageKeys: Array.from({ length: keys }, () => new Uint8Array(32)) });
const bytes = (zeros: number, others: number) =>
  Uint8Array.from({ length: zeros + others }, (_, at) => (at < zeros ? 0 : 1));

describe('the intrinsic gas', () => {
  const SHAPES: Readonly<Record<string, readonly [shape: MeteredShape, paris: number, prague: number, floor: number]>> =
    {
      'a transfer': [TRANSFER, 21_000, 21_000, 21_000],
      'zero bytes': [{ ...TRANSFER, data: bytes(10, 0) }, 21_040, 21_040, 21_100],
      'bytes that are not zero': [{ ...TRANSFER, data: bytes(0, 10) }, 21_160, 21_160, 21_400],
      'both kinds of bytes': [{ ...TRANSFER, data: bytes(3, 2) }, 21_044, 21_044, 21_110],
      'a creation without init code': [CREATION, 53_000, 53_000, 21_000],
      'init code of a word': [{ ...CREATION, data: bytes(32, 0) }, 53_128, 53_130, 21_320],
      'init code of a word and a byte': [{ ...CREATION, data: bytes(33, 0) }, 53_132, 53_136, 21_330],
      'an access list': [{ ...TRANSFER, accessList: [entry(0), entry(3)] }, 31_500, 31_500, 21_000],
      authorizations: [{ ...TRANSFER, authorizationList: [{}, {}] }, 71_000, 71_000, 21_000],
    };

  test.each(Object.entries(SHAPES))('of %s is that of the fork', (_, [shape, paris, prague, floor]) => {
    const gasAt = (level: EvmLevel) => intrinsicGas(level, shape);
    expect(gasAt('paris')).toEqual({ gas: BigInt(paris), floor: 0n });
    // EIP-3860 meters init code from shanghai on, and EIP-7623 sets a floor from prague on.
    for (const level of ['shanghai', 'cancun'] as const)
      expect(gasAt(level)).toEqual({ gas: BigInt(prague), floor: 0n });
    for (const level of ['prague', 'osaka'] as const)
      expect(gasAt(level)).toEqual({ gas: BigInt(prague), floor: BigInt(floor) });
  });
});

describe('the check of a gas limit', () => {
  const problem = (level: EvmLevel, shape: MeteredShape, gasLimit: bigint) => {
    try {
      return checkGas(level, { ...shape, gasLimit });
    } catch (error) {
      if (!(error instanceof TransactionInvalid)) throw error;
      return error.message;
    }
  };
  const data = bytes(0, 10);
  const long = bytes(MAX_INIT_CODE + 1, 0);
  const most = bytes(MAX_INIT_CODE, 0);
  test.each<[string, EvmLevel, MeteredShape, bigint, unknown]>([
    ['accepts the intrinsic gas', 'paris', TRANSFER, 21_000n, { gas: 21_000n, floor: 0n }],
    ['rejects less', 'paris', TRANSFER, 20_999n, 'intrinsic gas too low: have 20999, want 21000'],
    ['accepts the floor', 'prague', { ...TRANSFER, data }, 21_400n, { gas: 21_160n, floor: 21_400n }],
    [
      'rejects less than the floor',
      'prague',
      { ...TRANSFER, data },
      21_399n,
      'insufficient gas for floor data gas cost: have 21399, want 21400',
    ],
    [
      'names the intrinsic gas below both',
      'prague',
      { ...TRANSFER, data },
      21_159n,
      'intrinsic gas too low: have 21159, want 21160',
    ],
    ['accepts init code of 48 KiB', 'shanghai', { ...CREATION, data: most }, 10n ** 7n, { gas: 252_680n, floor: 0n }],
    [
      'rejects longer init code from shanghai on',
      'shanghai',
      { ...CREATION, data: long },
      10n ** 7n,
      'max initcode size exceeded: code size 49153, limit 49152',
    ],
    ['accepts longer init code before', 'paris', { ...CREATION, data: long }, 10n ** 7n, { gas: 249_612n, floor: 0n }],
    ['accepts longer calldata', 'shanghai', { ...TRANSFER, data: long }, 10n ** 7n, { gas: 217_612n, floor: 0n }],
  ])('%s', (_, level, shape, gasLimit, outcome) => {
    expect(problem(level, shape, gasLimit)).toEqual(outcome);
  });
});
