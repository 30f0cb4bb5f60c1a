import { expect, test } from 'vitest';
import { findSyncStart } from '../../../../src/protocol/derivation/pipeline/sync-start.ts';
import { createNetwork, framesOf, inCalldata, verifierOf } from '../scripted/network.ts';
import { transactionsOf } from '../scripted/network-with-channels.ts';
import { testRollup } from '../scripted/rollup.ts';

test('an L1 reorg across the activation of holocene allows frames in any order until it activates again', async () => {
  // L1 blocks come every 6 s: 104 is the first that reads strictly.
  const network = createNetwork(testRollup('granite', { at: { holocene: 24 } }));
  const { rollup, l1, sequencer } = network;
  for (let slot = 0; slot < 2; slot++) await network.advance({}, transactionsOf);
  const first = sequencer.chain().slice(1);
  const channel = inCalldata(framesOf(rollup, first, { maxFrameSize: 90 }));
  const disordered = channel.toReversed();
  expect(channel.length).toBeGreaterThan(2);

  const { engine, pipeline, genesis, run } = verifierOf(network);
  await pipeline.reset(genesis);
  l1.mine();
  l1.mine({ transactions: disordered });
  l1.mine();
  expect(await run()).toBe('eof');
  expect(engine.head()).toEqual(genesis);

  l1.reorgTo(102);
  l1.mine({ transactions: disordered });
  l1.mine();
  l1.mine();
  l1.mine();
  expect(await run()).toBe('reset');
  const heads = { unsafe: engine.head(), safe: engine.head(), finalized: genesis };
  const start = await findSyncStart(rollup, l1, engine, heads);
  await pipeline.reset(start.safe);
  expect(await run()).toBe('eof');
  expect(engine.chain()).toEqual(sequencer.chain());
  expect(engine.head().number).toBe(first.length);

  await network.advance({}, transactionsOf);
  const rest = sequencer.chain().slice(first.length + 1);
  const strict = inCalldata(framesOf(rollup, rest, { id: 2, maxFrameSize: 90 }));
  l1.mine({ transactions: strict.toReversed() });
  l1.mine();
  expect(await run()).toBe('eof');
  expect(engine.head().number).toBe(first.length);
  l1.mine({ transactions: strict });
  l1.mine();
  expect(await run()).toBe('eof');
  expect(engine.chain()).toEqual(sequencer.chain());
  expect(engine.head().timestamp).toBeGreaterThan(genesis.timestamp + 24);
});
