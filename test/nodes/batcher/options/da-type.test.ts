import { describe, expect, it } from 'vitest';
import { cheaperDaType } from '../../../../src/nodes/batcher/options/da-type.ts';

const GWEI = 1_000_000_000n;

describe('--data-availability-type=auto', () => {
  it.each([
    ['blobs', 'blob gas costs next to nothing', 10n * GWEI, 1n],
    ['blobs', 'both cost the same per gas', GWEI, GWEI],
    ['calldata', 'blob gas costs a hundred times as much', GWEI, 100n * GWEI],
  ] as const)('takes %s when %s', (carrier, _, baseFee, blobBaseFee) => {
    for (const frames of [1, 6])
      expect(cheaperDaType({ baseFee, tip: GWEI, blobBaseFee }, 120_000, frames)).toBe(carrier);
  });

  it('takes blobs for many frames when both transactions cost the same', () => {
    const market = { baseFee: GWEI, tip: 0n, blobBaseFee: 40n * GWEI };
    expect([1, 6].map((frames) => cheaperDaType(market, 1000, frames))).toEqual(['blobs', 'blobs']);
  });

  it.each([1, 6])('takes %d blobs up to the fee at which a byte costs as much in calldata', (frames) => {
    // A blob has 131,072 gas for 130,044 bytes of data, and calldata 40 gas for each byte.
    const market = { baseFee: 131_071n, tip: 1n };
    const blobBaseFee = 40n * 130_044n;
    expect(
      [-1n, 0n, 1n].map((more) =>
        cheaperDaType({ ...market, blobBaseFee: blobBaseFee + more }, 130_044 * frames, frames),
      ),
    ).toEqual(['blobs', 'blobs', 'calldata']);
  });
});
