import { describe, expect, test } from 'vitest';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { findPipelineStart } from '../../../../src/protocol/derivation/pipeline/pipeline-start.ts';
import type { ExecutionPayloadEnvelope } from '../../../../src/protocol/types.ts';
import { createNetwork, type Network } from '../scripted/network.ts';
import { testRollup } from '../scripted/rollup.ts';

/** Makes three L2 blocks for each L1 block after genesis: L2 block 3n is the first of epoch 100 + n. */
async function networkOf(l1Blocks: number): Promise<Network> {
  const network = createNetwork(testRollup('granite'));
  for (let slot = 0; slot < l1Blocks; slot++) await network.advance();
  return network;
}
const block = ({ rollup, sequencer }: Network, number: number) => blockRefOf(rollup, sequencer.chain()[number]!);

describe('pipeline start', () => {
  const originFor = async (network: Network, safe: number) =>
    (await findPipelineStart(network.rollup, { l1: network.l1, l2: network.sequencer }, block(network, safe))).origin
      .number;

  test('is one channel timeout behind the origin of the safe head', async () => {
    const network = await networkOf(60);
    expect(await originFor(network, 180)).toBe(160 - 50);
  });

  test('uses the channel timeout of the rules there, not of the safe head', async () => {
    const network = createNetwork(testRollup('fjord', { at: { granite: 60 } }));
    for (let slot = 0; slot < 20; slot++) await network.advance();
    expect(await originFor(network, 30)).toBe(109 - 5);
  });

  test('is no earlier than genesis', async () => {
    expect(await originFor(await networkOf(5), 15)).toBe(100);
  });

  test('reads few blocks on the way', async () => {
    const network = await networkOf(60);
    let reads = 0;
    const counted =
      <Id>(read: (id: Id) => Promise<ExecutionPayloadEnvelope | null>) =>
      (id: Id) => {
        reads += 1;
        return read(id);
      };
    const l2 = {
      payloadByHash: counted(network.sequencer.payloadByHash),
      payloadByNumber: counted(network.sequencer.payloadByNumber),
    };
    await findPipelineStart(network.rollup, { l1: network.l1, l2 }, block(network, 180));
    expect(reads).toBeLessThan(20);
  });

  test('reads no L2 block by its number where none is skipped', async () => {
    const network = await networkOf(3);
    const l2 = { payloadByHash: network.sequencer.payloadByHash, payloadByNumber: () => expect.fail('by number') };
    const { origin } = await findPipelineStart(network.rollup, { l1: network.l1, l2 }, block(network, 1));
    expect(origin.number).toBe(block(network, 1).l1origin.number);
  });

  test('one L1 block back is found by the parents of L2 blocks, and reads each L1 origin once', async () => {
    const network = createNetwork(testRollup('fjord', { config: { channel_timeout: 1 } }));
    for (let slot = 0; slot < 4; slot++) await network.advance();
    const safe = block(network, 11);
    network.l1.calls.clear();
    const l2 = { payloadByHash: network.sequencer.payloadByHash, payloadByNumber: () => expect.fail('by number') };
    const start = await findPipelineStart(network.rollup, { l1: network.l1, l2 }, safe);
    expect([safe.l1origin.number, start.origin.number]).toEqual([103, 102]);
    expect(network.l1.calls.get('headerByHash')).toBe(2);
  });

  test('at genesis is searched again, too, when the engine is on another chain than the safe head', async () => {
    const network = await networkOf(5);
    const l2 = {
      payloadByHash: network.sequencer.payloadByHash,
      payloadByNumber: (number: number) => network.sequencer.payloadByNumber(number === 15 ? 14 : number),
    };
    const finding = findPipelineStart(network.rollup, { l1: network.l1, l2 }, block(network, 15));
    await expect(finding).rejects.toMatchObject({ handling: 'retry' });
  });

  test('is searched again when the engine lacks a block', async () => {
    const network = await networkOf(3);
    const l2 = { payloadByHash: async () => null, payloadByNumber: async () => null };
    await expect(findPipelineStart(network.rollup, { l1: network.l1, l2 }, block(network, 3))).rejects.toMatchObject({
      handling: 'retry',
      message: expect.stringContaining('the engine does not have L2 block'),
    });
  });

  test('is searched again when the engine is on another chain than the safe head', async () => {
    const network = await networkOf(60);
    const l2 = {
      payloadByHash: network.sequencer.payloadByHash,
      payloadByNumber: (number: number) => network.sequencer.payloadByNumber(number === 180 ? 179 : number),
    };
    const finding = findPipelineStart(network.rollup, { l1: network.l1, l2 }, block(network, 180));
    await expect(finding).rejects.toMatchObject({ handling: 'retry' });
  });

  test('asks for a reset when L1 does not have the origin', async () => {
    const network = await networkOf(3);
    const l1 = { ...network.l1, headerByHash: async () => null };
    const finding = findPipelineStart(network.rollup, { l1, l2: network.sequencer }, block(network, 9));
    await expect(finding).rejects.toMatchObject({ handling: 'reset' });
  });
});
