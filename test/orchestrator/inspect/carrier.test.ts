import { afterEach, describe, expect, it } from 'vitest';
import { type CarriedBlock, carrierOf } from '../../../src/orchestrator/inspect/carrier.ts';
import { l2BlockRef } from '../../../src/protocol/derivation/attributes/l2-block-ref.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import { keccak256 } from '../../../src/protocol/hash.ts';
import type { ExecutionPayload } from '../../../src/protocol/types.ts';
import { createNetwork, framesOf, inCalldata } from '../../protocol/derivation/scripted/network.ts';
import { BATCHER, GENESIS_L1, hashOf, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { type ServedL1, servedL1 } from './served-l1.ts';

let served: ServedL1 | undefined;
afterEach(() => served?.close());

/** The facts of a block by which its batch is recognised. */
function factsOf(rollup: Rollup, payload: ExecutionPayload): CarriedBlock {
  const { number, timestamp, l1origin } = l2BlockRef(payload, rollup.config.genesis);
  const users = payload.transactions.filter((raw) => !raw.startsWith('0x7e'));
  return { number, timestamp, origin: l1origin, batcher: BATCHER, transactions: users.map((raw) => keccak256(raw)) };
}

/** Five L1 blocks with three L2 blocks each, then two with the batches of L2 blocks 1 to 6. */
async function network(batchType: 'singular' | 'span' = 'singular', rollup = testRollup('granite')) {
  const chain = createNetwork(rollup);
  const transactions = (number: number) => [userTransaction(2 * number), userTransaction(2 * number + 1)];
  for (let slot = 0; slot < 5; slot++) await chain.advance({}, transactions);
  const { l1, sequencer } = chain;
  const blocks = sequencer.chain();
  const frames = framesOf(rollup, blocks.slice(1, 7), { id: 5, batchType, maxFrameSize: 400 });
  const [first, ...others] = inCalldata(frames);
  const before = l1.mine({ transactions: others });
  const last = l1.mine({ transactions: [first!] });
  served = await servedL1(l1);
  const facts = (number: number) => factsOf(rollup, blocks[number]!);
  const find = (more: Partial<CarriedBlock> = {}, number = 4, head = l1.head().number) =>
    carrierOf(served!.plan, rollup, { ...facts(number), ...more }, head);
  return { find, facts, frames, before, last, l1 };
}

describe('the carrier of a block', () => {
  it('is its singular batch, in the L1 block that completes the channel', async () => {
    const { find, frames, before, last } = await network();
    expect(frames.length).toBeGreaterThan(1);
    const carrier = await find();
    expect(carrier).toMatchObject({
      ...{ kind: 'batch', batch: 'singular', index: 3, blocks: 1, position: 0 },
      channel: { id: `0x${'5'.padStart(32, '0')}`, compression: 'zlib' },
      l1Block: { number: last.number, hash: last.hash, timestamp: last.timestamp },
    });
    const places = carrier.kind === 'batch' ? carrier.channel.frames.map(({ l1Block }) => l1Block.number) : [];
    expect(new Set(places)).toEqual(new Set([before.number, last.number]));
    expect(await find({}, 1)).toMatchObject({ index: 0 });
    expect(await find({}, 6)).toMatchObject({ index: 5 });
  });

  it('is its span batch, with its position there', async () => {
    const { find } = await network('span');
    expect(await find()).toMatchObject({ kind: 'batch', batch: 'span', index: 0, blocks: 6, position: 3 });
    expect(await find({}, 1)).toMatchObject({ position: 0 });
    expect(await find({}, 6)).toMatchObject({ position: 5 });
  });

  it.each(['singular', 'span'] as const)('is no %s batch of another block', async (batchType) => {
    const { find, facts } = await network(batchType);
    const own = await find();
    expect(own.kind).toBe('batch');
    const block = facts(4);
    for (const more of [
      { timestamp: block.timestamp + 1 },
      { transactions: [] },
      { transactions: [keccak256('0x01'), keccak256('0x02')] },
      { transactions: [...block.transactions, keccak256('0x01')] },
      { transactions: block.transactions.toReversed() },
      { origin: { number: block.origin.number + 1, hash: hashOf('another') } },
    ])
      expect((await find(more)).kind, JSON.stringify(more)).toBe('none');
    expect((await find({}, 7)).kind).toBe('none');
  });

  it('is none of the genesis block, and none on L1 when the batches lie on a DA server', async () => {
    const { find, facts } = await network();
    expect(await find({}, 0)).toEqual({ kind: 'none', because: 'it is the genesis block' });
    const rollup = testRollup('granite');
    const onServer = { ...rollup, config: { ...rollup.config, alt_da: {} as never } };
    expect(await carrierOf(served!.plan, onServer, facts(4), 200)).toEqual({
      ...{ kind: 'none', because: 'its batches lie on a DA server, not on L1' },
    });
  });

  it('is looked for within the channel timeout before its origin and the sequencing window after it', async () => {
    const { find, l1 } = await network();
    const origin = GENESIS_L1.number + 80;
    const block = { origin: { number: origin, hash: hashOf('x') } };
    const range = (first: number, last: number) => ({
      ...{ kind: 'none', because: `no batch for it in L1 blocks ${first} to ${last}` },
    });
    expect(await find(block, 4, origin + 50)).toEqual(range(origin - 50, origin + 12));
    expect(await find(block, 4, origin + 5)).toEqual(range(origin - 50, origin + 5));
    const early = { origin: { number: GENESIS_L1.number + 9, hash: hashOf('x') } };
    expect(await find(early, 4, l1.head().number)).toEqual(range(GENESIS_L1.number, l1.head().number));
  });

  it('is none when the sequencing window ran out, of a block of deposits alone', async () => {
    const { find } = await network();
    const origin = GENESIS_L1.number + 80;
    const block = { origin: { number: origin, hash: hashOf('x') }, transactions: [] };
    const because = 'the sequencing window of 12 L1 blocks ran out: derivation made it of deposits alone';
    expect(await find(block, 4, origin + 13)).toEqual({ kind: 'none', because });
    expect(await find(block, 4, origin + 12)).toMatchObject({ because: expect.stringContaining('no batch for it') });
    expect(await find({ origin: block.origin }, 4, origin + 13)).toMatchObject({
      because: expect.stringContaining('no batch for it'),
    });
  });
});
