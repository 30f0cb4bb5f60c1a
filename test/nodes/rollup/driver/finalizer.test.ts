import { describe, expect, it } from 'vitest';
import { type FinalizerOptions, finalizer } from '../../../../src/nodes/rollup/driver/finalizer.ts';
import type { BlockId, L2BlockRef } from '../../../../src/protocol/types.ts';
import { hashOf } from '../../../protocol/derivation/scripted/rollup.ts';

const L1: BlockId = { number: 40, hash: hashOf('L1 40') };
const OLDER_L1: BlockId = { number: 30, hash: hashOf('L1 30') };

const block = (number: number) => ({ number, hash: hashOf(`L2 ${number}`) }) as Partial<L2BlockRef> as L2BlockRef;

/** A finalizer on an engine whose finalized head is block 5. L1 block `n` finalizes L2 block `n` less `behind`. */
function finalizerOf(behind: number, altDa?: FinalizerOptions['altDa']) {
  const heads = { finalized: block(5) };
  const promoted: number[] = [];
  const options = {
    finality: { finalizedBy: (l1: BlockId) => block(l1.number - behind) },
    engine: {
      isReady: true,
      heads: () => heads,
      async promoteFinalized(next: L2BlockRef) {
        promoted.push(next.number);
        heads.finalized = next;
      },
    },
    heads: { finalized: L1 },
    altDa,
    log: { debug() {}, warn() {} },
    wake() {},
  };
  return { deriver: finalizer(options as unknown as FinalizerOptions), promoted };
}

describe('the finalized head', () => {
  it.each([
    [36, []],
    [35, []],
    [34, [6]],
  ])('never moves back or stays: with %i blocks behind L1, the engine finalizes %j', async (behind, expected) => {
    const { deriver, promoted } = finalizerOf(behind);
    expect(deriver.takeFinal()?.number).toBe(expected[0]);
    deriver.tryFinalize();
    for (let step = 0; step < 3; step++) await deriver.step();
    expect(promoted).toEqual(expected);
    expect(deriver.finalizedBy()).toEqual(expected.length > 0 ? L1 : undefined);
  });

  it('moves with alternative DA only as far as challenge windows are over', async () => {
    const { deriver, promoted } = finalizerOf(20, { finalizedBy: async () => OLDER_L1 });
    expect(deriver.takeFinal()).toBeUndefined();
    deriver.tryFinalize();
    await deriver.step();
    expect([promoted, deriver.finalizedBy()]).toEqual([[10], OLDER_L1]);
  });

  it('stays when it is not known which windows are over', async () => {
    const { deriver, promoted } = finalizerOf(20, { finalizedBy: () => Promise.reject(new Error('L1 is away')) });
    deriver.tryFinalize();
    await deriver.step();
    expect([promoted, deriver.finalizedBy()]).toEqual([[], undefined]);
  });
});
