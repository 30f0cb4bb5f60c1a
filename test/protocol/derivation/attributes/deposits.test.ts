import { describe, expect, test } from 'vitest';
import { decodeDeposit } from '../../../../src/protocol/codec/deposit.ts';
import { userDeposits } from '../../../../src/protocol/derivation/attributes/deposits.ts';
import { decodeScalars } from '../../../../src/protocol/derivation/attributes/fee-parameters.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { hashOf, PORTAL } from '../scripted/rollup.ts';
import { depositLog, receiptsOf } from '../scripted/transactions.ts';

const [FROM, TO] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const;

describe('user deposits', () => {
  const log = depositLog(FROM, TO, 5n);
  const valuesOf = (encoded: readonly Hex[]) => encoded.map((deposit) => decodeDeposit(hexToBytes(deposit)).value);

  test('are those of the portal alone, in the order of their logs', () => {
    const event = { ...log, topics: [hashOf('another event'), ...log.topics.slice(1)] };
    const receipts = receiptsOf(
      log,
      { ...log, address: TO },
      event,
      { ...log, address: `0x${PORTAL.slice(2).toUpperCase()}` },
      { ...depositLog(FROM, TO, 7n) },
      { ...log, topics: [] },
    );
    expect(valuesOf(userDeposits(receipts, PORTAL, hashOf('L1')))).toEqual([5n, 5n, 7n]);
  });

  test('of a failed transaction do not count', () => {
    const [receipt] = receiptsOf(log);
    expect(userDeposits([{ ...receipt!, status: false }], PORTAL, hashOf('L1'))).toEqual([]);
  });
});

describe('fee scalars', () => {
  const words = (version: string): Hex => `0x${version}${'00'.repeat(23)}0000000700000005`;
  test('of version 0 have the base fee alone, those of version 1 both', () => {
    expect(decodeScalars(words('00'))).toEqual({ baseFeeScalar: 5, blobBaseFeeScalar: 0 });
    expect(decodeScalars(words('01'))).toEqual({ baseFeeScalar: 5, blobBaseFeeScalar: 7 });
  });

  test.each(['02', 'ff'])('of version 0x%s are fatal', (version) => {
    expect(() => decodeScalars(words(version))).toThrow(
      expect.objectContaining({ name: 'DerivationError', handling: 'fatal' }),
    );
  });
});
