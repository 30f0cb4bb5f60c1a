import { describe, expect, test } from 'vitest';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { findSyncStart } from '../../../../src/protocol/derivation/pipeline/sync-start.ts';
import type { Hex, L1Header } from '../../../../src/protocol/types.ts';
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

  test('is the unsafe head behind either of the other heads, and not at them', async () => {
    const network = await networkOf(5);
    expect(await start(network, 9, 3, 6)).toEqual({ unsafe: 6, safe: 6, finalized: 6 });
    expect(await start(network, 3, 9, 6)).toEqual({ unsafe: 6, safe: 6, finalized: 6 });
    expect(await start(network, 6, 2, 6)).toEqual({ unsafe: 6, safe: 2, finalized: 2 });
    const finalized = { ...block(network, 6), hash: hashOf('final') };
    const heads = { unsafe: block(network, 6), safe: block(network, 6), finalized };
    await expect(findSyncStart(network.rollup, network.l1, network.sequencer, heads)).rejects.toMatchObject({
      handling: 'fatal',
    });
  });

  test('goes back from the safe head when it begins an epoch', async () => {
    expect((await start(await networkOf(30), 51, 0)).safe).toBe(50);
  });

  test('goes back over the windows of challenges of alternative DA', async () => {
    const network = await networkOf(60);
    const config = { ...network.rollup.config, alt_da: { da_challenge_window: 20, da_resolve_window: 10 } as never };
    const rollup = { ...network.rollup, config };
    expect((await start({ ...network, rollup }, 150, 0)).safe).toBe(86);
  });

  test('keeps a finalized block whose origin L1 does not know yet', async () => {
    const network = await networkOf(10);
    network.l1.reorgTo(102);
    expect(await start(network, 15, 12)).toEqual({ unsafe: 30, safe: 12, finalized: 12 });
  });

  test('reads each L1 block once: the first by its number, the others by the hash of their child', async () => {
    const network = await networkOf(5);
    const reads: string[] = [];
    const l1 = {
      headerByNumber: (number: number) => {
        reads.push(`number ${number}`);
        return network.l1.headerByNumber(number);
      },
      headerByHash: async (hash: Hex) => {
        const header = await network.l1.headerByHash(hash);
        reads.push(`hash of ${header?.number}`);
        return header;
      },
    };
    const heads = { unsafe: block(network, 15), safe: block(network, 12), finalized: block(network, 2) };
    await findSyncStart(network.rollup, l1, network.sequencer, heads);
    expect(reads).toEqual(['number 105', ...[104, 103, 102, 101, 100].map((number) => `hash of ${number}`)]);
  });

  test('asks again when the engine lacks a parent', async () => {
    const network = await networkOf(2);
    const heads = { unsafe: block(network, 6), safe: block(network, 3), finalized: block(network, 0) };
    const finding = findSyncStart(network.rollup, network.l1, { payloadByHash: async () => null }, heads);
    await expect(finding).rejects.toMatchObject({
      handling: 'retry',
      message: expect.stringContaining('parent of L2'),
    });
  });

  test('compares a head that is the genesis block with that of the rollup, and its origin if L1 has it', async () => {
    const network = await networkOf(2);
    const { rollup, l1, sequencer } = network;
    const genesis = block(network, 0);
    const heads = { unsafe: genesis, safe: genesis, finalized: genesis };
    const on = (
      changed: Partial<typeof rollup.config.genesis>,
      of: Pick<typeof l1, 'headerByNumber' | 'headerByHash'> = l1,
    ) => {
      const config = { ...rollup.config, genesis: { ...rollup.config.genesis, ...changed } };
      return findSyncStart({ ...rollup, config }, of, sequencer, heads);
    };
    const [l2Other, l1Other] = [
      { number: 0, hash: hashOf('other') },
      { ...GENESIS_L1, hash: hashOf('other') },
    ];
    await expect(on({ l2: l2Other })).rejects.toThrow(`L2 genesis is ${genesis.hash}, the rollup configuration says`);
    await expect(on({ l1: l1Other })).rejects.toThrow(
      `L1 genesis is ${GENESIS_L1.hash}, the rollup configuration says`,
    );
    const none = { headerByNumber: async () => null, headerByHash: async () => null };
    expect((await on({ l1: l1Other }, none)).safe).toEqual(genesis);
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
