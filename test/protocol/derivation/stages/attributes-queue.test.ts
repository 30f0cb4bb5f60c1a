import { describe, expect, test } from 'vitest';
import type { SingularBatch } from '../../../../src/protocol/codec/singular-batch.ts';
import { l1RefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { createAttributesQueue, hasOnlyDeposits } from '../../../../src/protocol/derivation/stages/attributes-queue.ts';
import type { NextBatch } from '../../../../src/protocol/derivation/stages/batch-queue.ts';
import { below } from '../scripted/below.ts';
import { createNetwork } from '../scripted/network.ts';
import { hashOf, testRollup } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

const rollup = testRollup('holocene');

/** The queue upon genesis above a script, which has one batch with these changes to the valid one. */
function queueOf(...changes: Partial<SingularBatch & { readonly concluding: boolean }>[]) {
  const { l1, sequencer } = createNetwork(rollup);
  const parent = sequencer.head();
  const script = below<NextBatch>(l1.mine());
  for (const { concluding = true, ...change } of changes) {
    const batch = {
      parentHash: parent.hash,
      epochNum: parent.l1origin.number,
      epochHash: parent.l1origin.hash,
      timestamp: parent.timestamp + rollup.config.block_time,
      transactions: [userTransaction(1)],
      ...change,
    };
    script.add({ batch, concluding });
  }
  let flushed = 0;
  const stage = createAttributesQueue(
    rollup,
    { l1, l2: sequencer },
    { origin: script.origin, nextBatch: script.next, flush: () => flushed++ },
  );
  return { l1, parent, stage, script, sequencer, flushed: () => flushed };
}

describe('attributes queue', () => {
  test.each([true, false])(
    'adds the transactions of a batch to the forced ones (concluding: %s)',
    async (concluding) => {
      const { parent, script, stage } = queueOf({ concluding });
      const next = await stage.nextAttributes(parent);
      expect(next).toMatchObject({ parent, derivedFrom: l1RefOf(script.origin()), concluding });
      const { transactions, noTxPool } = typeof next === 'string' ? expect.fail() : next.attributes;
      expect(transactions).toEqual([expect.stringMatching(/^0x7e/), userTransaction(1)]);
      expect(noTxPool).toBe(true);
      expect(stage.origin()).toBe(script.origin());
    },
  );

  test.each(['more', 'eof'] as const)('passes on %s of the stage below', async (answer) => {
    const { parent, script, stage } = queueOf();
    script.add(answer);
    expect(await stage.nextAttributes(parent)).toBe(answer);
  });

  test.each([
    ['another parent', { parentHash: hashOf('other') }],
    ['an earlier time', { timestamp: 1_700_000_001 }],
    ['a later time', { timestamp: 1_700_000_003 }],
  ])('asks for a reset at a batch with %s, which it keeps until then', async (_, change) => {
    const { parent, script, stage } = queueOf(change, {});
    for (const _attempt of [1, 2])
      await expect(stage.nextAttributes(parent)).rejects.toMatchObject({ name: 'DerivationError', handling: 'reset' });
    expect(script.left).toHaveLength(1);
    stage.reset();
    expect(await stage.nextAttributes(parent)).toMatchObject({ parent });
  });

  test('keeps a batch whose attributes need a port that does not answer', async () => {
    const { parent, sequencer, stage } = queueOf({});
    sequencer.failing = true;
    await expect(stage.nextAttributes(parent)).rejects.toThrow('does not answer');
    sequencer.failing = false;
    expect(await stage.nextAttributes(parent)).toMatchObject({ parent });
    expect(await stage.nextAttributes(parent)).toBe('eof');
  });

  test('leaves the deposits of attributes alone, and drops the rest of the batch and its channel', async () => {
    const { flushed, parent, stage } = queueOf({ concluding: false });
    const derived = await stage.nextAttributes(parent);
    if (typeof derived === 'string') throw new Error('no attributes');
    expect(hasOnlyDeposits(derived.attributes)).toBe(false);
    expect(flushed()).toBe(0);
    const reduced = stage.depositsOnly(derived);
    const [deposit] = derived.attributes.transactions;
    expect(reduced).toEqual({
      ...derived,
      attributes: { ...derived.attributes, transactions: [deposit] },
      concluding: true,
    });
    expect(hasOnlyDeposits(reduced.attributes)).toBe(true);
    expect(flushed()).toBe(1);
  });
});
