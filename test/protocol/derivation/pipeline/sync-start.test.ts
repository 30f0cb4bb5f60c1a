import { describe, expect, test } from 'vitest';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { findSyncStart } from '../../../../src/protocol/derivation/pipeline/sync-start.ts';
import type { L1Header } from '../../../../src/protocol/types.ts';
import { createNetwork, type Network } from '../scripted/network.ts';
import { GENESIS_L1, hashOf, testRollup } from '../scripted/rollup.ts';

/** Makes three L2 blocks for each L1 block after genesis: L2 block 3n is the first of epoch 100 + n. */
async function networkOf(l1Blocks: number): Promise<Network> {
  const network = createNetwork(testRollup('granite'));
  for (let slot = 0; slot < l1Blocks; slot++) await network.advance();
  return network;
}
const block = ({ rollup, sequencer }: Network, number: number) => blockRefOf(rollup, sequencer.chain()[number]!);
async function start(network: Network, safe: number, finalized: number, unsafe = network.sequencer.head().number) {
  const heads = {
    unsafe: block(network, unsafe),
    safe: block(network, safe),
    finalized: block(network, finalized),
  };
  const start = await findSyncStart(network.rollup, network.l1, network.sequencer, heads);
  return { unsafe: start.unsafe.number, safe: start.safe.number, finalized: start.finalized.number };
}

describe('sync start', () => {
  test('is genesis for a new chain', async () => {
    expect(await start(await networkOf(0), 0, 0)).toEqual({ unsafe: 0, safe: 0, finalized: 0 });
  });

  test('keeps the unsafe chain and goes back to the finalized block when the chain is short', async () => {
    expect(await start(await networkOf(5), 12, 2)).toEqual({ unsafe: 15, safe: 2, finalized: 2 });
  });

  test('goes back one sequencing window behind the highest canonical origin', async () => {
    const network = await networkOf(30);
    expect(await start(network, 80, 0)).toEqual({ unsafe: 90, safe: 50, finalized: 0 });
    expect(block(network, 50).l1origin.number).toBe(130 - 12 - 2);
  });

  test('goes back to the safe head at least', async () => {
    expect((await start(await networkOf(30), 20, 0)).safe).toBe(17);
  });

  test('drops blocks whose L1 origin was reorganised away', async () => {
    const network = await networkOf(10);
    network.l1.reorgTo(106);
    for (let slot = 0; slot < 6; slot++) network.l1.mine();
    expect(await start(network, 10, 0)).toEqual({ unsafe: 20, safe: 0, finalized: 0 });
  });

  test('keeps blocks whose L1 origin is not known yet', async () => {
    const network = await networkOf(10);
    network.l1.reorgTo(106);
    expect((await start(network, 10, 0)).unsafe).toBe(30);
  });

  test('drops blocks of a reorganised origin even behind unknown ones', async () => {
    const network = await networkOf(10);
    network.l1.reorgTo(106);
    network.l1.mine();
    expect((await start(network, 10, 0)).unsafe).toBe(20);
  });

  test('is the unsafe head when the engine was rewound behind its safe head', async () => {
    expect(await start(await networkOf(5), 12, 9, 6)).toEqual({ unsafe: 6, safe: 6, finalized: 6 });
  });

  test('refuses an engine or an L1 of another chain', async () => {
    const network = await networkOf(2);
    const { rollup, l1, sequencer } = network;
    const heads = { unsafe: block(network, 6), safe: block(network, 0), finalized: block(network, 0) };
    const { genesis } = rollup.config;
    const other = (changed: Partial<typeof genesis>) => ({
      ...rollup,
      config: { ...rollup.config, genesis: { ...genesis, ...changed } },
    });
    const onOther = (changed: Partial<typeof genesis>) => findSyncStart(other(changed), l1, sequencer, heads);
    await expect(onOther({ l2: { number: 0, hash: hashOf('other') } })).rejects.toMatchObject({ handling: 'fatal' });
    const foreign: Pick<L1Header, 'hash' | 'number'> = { ...GENESIS_L1, hash: hashOf('other') };
    await expect(onOther({ l1: foreign })).rejects.toMatchObject({ handling: 'fatal' });
  });

  test('follows an L1 reorg down to the origin of the finalized block, and reports a deeper one', async () => {
    const network = await networkOf(10);
    network.l1.reorgTo(103);
    for (let slot = 0; slot < 8; slot++) network.l1.mine();
    expect(block(network, 11).l1origin.number).toBe(103);
    expect(await start(network, 20, 11)).toEqual({ unsafe: 11, safe: 11, finalized: 11 });
    const deeper = start(network, 20, 14);
    await expect(deeper).rejects.toMatchObject({ handling: 'fatal' });
    await expect(deeper).rejects.toThrow(/reorganised below its finality.*L2 is final up to block 14/);
  });

  test('refuses to replace a finalized block', async () => {
    const network = await networkOf(2);
    const finalized = { ...block(network, 3), hash: hashOf('final') };
    const heads = { unsafe: block(network, 6), safe: block(network, 3), finalized };
    const finding = findSyncStart(network.rollup, network.l1, network.sequencer, heads);
    await expect(finding).rejects.toMatchObject({ handling: 'fatal' });
  });
});
