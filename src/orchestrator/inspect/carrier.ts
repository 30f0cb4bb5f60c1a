import { BatchDecoder, type BatchWithMetadata } from '../../protocol/derivation/encode/batch-decoder.ts';
import type { ChannelWithMetadata } from '../../protocol/derivation/encode/channel-frames.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import { type BatcherInput, readBatcherData } from '../../protocol/derivation/stages/blob-calldata-source.ts';
import { keccak256 } from '../../protocol/hash.ts';
import type { Hex } from '../../protocol/types.ts';
import { decompressors } from '../../system/files/decompress.ts';
import type { Plan } from '../plan/plan.ts';
import { blobsOf, type L1Block, l1Blocks } from './l1-blocks.ts';

/** What carried an L2 block to L1. Keys are only ever added. */
export type Carrier =
  | {
      readonly kind: 'batch';
      readonly batch: 'singular' | 'span';
      /** Index of the batch in its channel. */
      readonly index: number;
      /** Blocks of the batch, and the position of this one. */
      readonly blocks: number;
      readonly position: number;
      readonly channel: ChannelWithMetadata;
      /** The L1 block that completes the channel: derivation has the block from there on. */
      readonly l1Block: { readonly number: number; readonly hash: Hex; readonly timestamp: number };
    }
  | { readonly kind: 'none'; readonly because: string };

/** The facts of an L2 block by which its batch is recognised. */
export interface CarriedBlock {
  readonly number: number;
  readonly timestamp: number;
  readonly origin: { readonly number: number; readonly hash: Hex };
  readonly batcher: Hex;
  /** Hashes of its transactions without deposits. */
  readonly transactions: readonly Hex[];
}

/** Finds the batch of an L2 block in the batcher's transactions on L1, decoded as derivation does. */
export async function carrierOf(plan: Plan, rollup: Rollup, block: CarriedBlock, l1Head: number): Promise<Carrier> {
  const { config } = rollup;
  if (block.number <= config.genesis.l2.number) return { kind: 'none', because: 'it is the genesis block' };
  if (config.alt_da !== undefined) return { kind: 'none', because: 'its batches lie on a DA server, not on L1' };
  const timeout = rollup.rulesAt(block.timestamp).channels.timeout(config);
  const first = Math.max(config.genesis.l1.number, block.origin.number - timeout);
  const last = Math.min(l1Head, block.origin.number + config.seq_window_size);
  for await (const entry of tracedBatches(plan, rollup, block.batcher, first, last)) {
    const position = positionIn(entry, block);
    if (position < 0) continue;
    const { batch, channel, index } = entry;
    const end = channel.frames.reduce((a, b) => (b.l1Block.number > a.l1Block.number ? b : a)).l1Block;
    const blocks = batch.kind === 'span' ? batch.batch.blocks.length : 1;
    return { kind: 'batch', batch: batch.kind, index, blocks, position, channel, l1Block: end };
  }
  const isOver = l1Head > block.origin.number + config.seq_window_size;
  const because =
    isOver && block.transactions.length === 0
      ? `the sequencing window of ${config.seq_window_size} L1 blocks ran out: derivation made it of deposits alone`
      : `no batch for it in L1 blocks ${first} to ${last}`;
  return { kind: 'none', because };
}

/** Yields the batches that a range of L1 blocks completes. */
export async function* tracedBatches(
  plan: Plan,
  rollup: Rollup,
  batcher: Hex,
  first: number,
  last: number,
): AsyncGenerator<BatchWithMetadata, void> {
  const decoder = new BatchDecoder(rollup, { decompress: decompressors });
  for await (const block of l1Blocks(plan, first, last))
    yield* await decoder.read(block.header, await inputsOf(plan, rollup, batcher, block));
}

/** Returns the batcher's data in an L1 block. */
export function inputsOf(plan: Plan, rollup: Rollup, batcher: Hex, block: L1Block): Promise<readonly BatcherInput[]> {
  const l1 = {
    transactions: async () => block.transactions,
    blobs: (header: L1Block['header'], hashes: readonly Hex[]) => blobsOf(plan, header, hashes),
  };
  return readBatcherData(rollup, { l1 }, block.header, batcher);
}

/** Returns the position of a block in a batch, -1 if it is not part of it. */
function positionIn({ batch }: BatchWithMetadata, block: CarriedBlock): number {
  const same = (transactions: readonly Hex[]) =>
    transactions.length === block.transactions.length &&
    transactions.every((raw, at) => keccak256(raw) === block.transactions[at]);
  if (batch.kind === 'singular') {
    const { timestamp, epochHash, transactions } = batch.batch;
    return timestamp === block.timestamp && epochHash === block.origin.hash && same(transactions) ? 0 : -1;
  }
  return batch.batch.blocks.findIndex(
    ({ timestamp, epochNum, transactions }) =>
      timestamp === block.timestamp && epochNum === block.origin.number && same(transactions),
  );
}
