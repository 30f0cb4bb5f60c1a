import { Transaction } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../src/nodes/txmgr/account.ts';
import { exceedsLimits, suggestGasPriceCaps, updateFees } from '../../../src/nodes/txmgr/fees.ts';
import { classifySendError } from '../../../src/nodes/txmgr/send-error.ts';
import { type Fees, signTransaction } from '../../../src/nodes/txmgr/transaction.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { ACCOUNTS } from '../beacon/anvil.ts';

const TO: Hex = `0x${'0b'.repeat(20)}`;

describe('signed transactions', () => {
  it('are decoded by another library to the same fields', () => {
    const arbitrary = fc.record({
      chainId: fc.integer({ min: 1, max: 2 ** 40 }),
      nonce: fc.integer({ min: 0, max: 2 ** 32 }),
      gas: fc.integer({ min: 21_000, max: 2 ** 30 }),
      data: fc.uint8Array({ maxLength: 300 }),
      tip: fc.bigInt(0n, 10n ** 12n),
      fee: fc.bigInt(10n ** 12n, 10n ** 15n),
    });
    fc.assert(
      fc.property(arbitrary, ({ chainId, nonce, gas, data, tip, fee }) => {
        const fees = { maxPriorityFeePerGas: tip, maxFeePerGas: fee, maxFeePerBlobGas: fee };
        const { raw, hash: signedHash } = signTransaction(ACCOUNTS[0]!, { chainId, nonce, gas, to: TO, data, fees });
        const read = Transaction.from(raw);
        expect(read.hash).toBe(signedHash);
        expect(read.from!.toLowerCase()).toBe(ACCOUNTS[0]!.address);
        expect([Number(read.chainId), read.nonce, Number(read.gasLimit)]).toEqual([chainId, nonce, gas]);
        expect(hexToBytes(read.data)).toEqual(data);
        expect([read.maxPriorityFeePerGas, read.maxFeePerGas]).toEqual([tip, fee]);
      }),
      { numRuns: 30 },
    );
  });

  it('need a valid private key', () => {
    expect(() => accountOf(new Uint8Array(32))).toThrow('private key');
    expect(() => accountOf(new Uint8Array(32).fill(255))).toThrow('private key');
  });
});

describe('fees', () => {
  const wei = fc.bigInt(0n, 10n ** 14n);
  const POLICY = { minBaseFee: 0n, minTip: 1n, limitMultiplier: 5n, limitThreshold: 20n };
  const market = fc.record({ baseFee: wei, tip: wei, blobBaseFee: wei });

  it('suffice while the base fees double', () => {
    fc.assert(
      fc.property(market, (now) => {
        const fees = suggestGasPriceCaps(now, POLICY);
        expect(fees.maxFeePerGas).toBeGreaterThanOrEqual(now.baseFee * 2n + fees.maxPriorityFeePerGas);
        expect(fees.maxFeePerBlobGas).toBeGreaterThanOrEqual(now.blobBaseFee * 2n);
      }),
    );
  });

  it('rise by the price bump of a replacement, and to the market', () => {
    fc.assert(
      fc.property(market, market, fc.boolean(), (before, now, hasBlobs) => {
        const old = suggestGasPriceCaps(before, POLICY);
        const raised = updateFees(old, suggestGasPriceCaps(now, POLICY), hasBlobs);
        for (const field of ['maxPriorityFeePerGas', 'maxFeePerGas', 'maxFeePerBlobGas'] as const) {
          expect(raised[field] * 100n).toBeGreaterThanOrEqual(old[field] * (hasBlobs ? 200n : 110n));
          expect(raised[field]).toBeGreaterThanOrEqual(suggestGasPriceCaps(now, POLICY)[field]);
        }
      }),
    );
  });

  it('report when they exceed a multiple of the market', () => {
    const fees = (gas: bigint, blob: bigint): Fees => ({
      maxPriorityFeePerGas: 1n,
      maxFeePerGas: gas,
      maxFeePerBlobGas: blob,
    });
    expect(exceedsLimits(fees(50n, 50n), fees(10n, 10n), POLICY, true)).toBe(false);
    expect(exceedsLimits(fees(51n, 1n), fees(10n, 10n), POLICY, true)).toBe(true);
    expect(exceedsLimits(fees(1n, 51n), fees(10n, 10n), POLICY, true)).toBe(true);
    expect(exceedsLimits(fees(1n, 51n), fees(10n, 10n), POLICY, false)).toBe(false);
  });

  it('may rise to the threshold whatever the multiple', () => {
    const fees = { maxPriorityFeePerGas: 20n, maxFeePerGas: 20n, maxFeePerBlobGas: 20n };
    const none = { maxPriorityFeePerGas: 0n, maxFeePerGas: 0n, maxFeePerBlobGas: 0n };
    expect(exceedsLimits(fees, none, POLICY, true)).toBe(false);
    expect(exceedsLimits({ ...fees, maxFeePerGas: 21n }, none, POLICY, true)).toBe(true);
  });

  it('are never lower than the configured minimum', () => {
    const cheap = { baseFee: 0n, tip: 0n, blobBaseFee: 0n };
    const policy = { ...POLICY, minBaseFee: 100n, minTip: 7n };
    expect(suggestGasPriceCaps(cheap, policy)).toMatchObject({ maxPriorityFeePerGas: 7n, maxFeePerGas: 207n });
  });
});

describe('refusals in the words of clients', () => {
  it.each([
    ['already known', 'known'],
    ['transaction already imported', 'known'],
    ['nonce too low: next nonce 5, tx nonce 3', 'nonce-used'],
    ['replacement transaction underpriced', 'underpriced'],
    ['max fee per gas less than block base fee', 'underpriced'],
    ['insufficient funds for gas * price + value: balance 0', 'funds'],
    ['Insufficient funds for gas * price + value', 'funds'],
    ['address already reserved', 'busy'],
    ['oversized data: transaction size 131085, limit 131072', 'too-large'],
    ['exceeds block gas limit', 'too-large'],
    ['exceeds max transaction gas limit', 'too-large'],
    ['exceeds maximum per-transaction gas limit: transaction gas 9, limit 8', 'too-large'],
    ['transaction gas limit too high (cap: 16777216, tx: 16777217)', 'too-large'],
    ['gas limit too high', 'too-large'],
    ['intrinsic gas too high -- tx.gas_limit > env.cfg.tx_gas_limit_cap', 'too-large'],
    ['intrinsic gas too low', 'final'],
  ])('%s: %s', (message, refusal) => {
    expect(classifySendError(message)).toBe(refusal);
  });
});
