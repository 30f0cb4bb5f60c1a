import { tracedBatches } from '../observe/inspect/carrier.ts';
import { batchSummary } from '../observe/inspect/inbox.ts';
import type { Inspector, Json, L2Layer } from '../observe/inspect/inspector.ts';
import { ask } from '../observe/inspect/layer.ts';
import { receiptsOf } from './receipts.ts';

/** L1 blocks that are searched, and batches that are shown: the newest. */
const BLOCKS = 120;
const MOST = 40;

/** A batch on L1 as the page shows it. Costs are wei. */
export interface BatchRow {
  readonly l1Blocks: readonly number[];
  readonly channel: string;
  readonly frames: readonly { readonly transaction: string; readonly bytes: number; readonly blob: boolean }[];
  readonly bytes: number;
  readonly compression: string | null;
  readonly kind: string;
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly transactions: number;
  readonly cost: string;
}

/** Decodes the newest batches of a chain on L1, as derivation does. */
export async function batchesOf(inspector: Inspector, layer: L2Layer): Promise<readonly BatchRow[]> {
  const { plan } = inspector;
  const l1 = { url: plan.network.l1.direct.rpc };
  const [head, latest] = await Promise.all([
    ask<string>(l1, 'eth_blockNumber'),
    ask<Json>(layer, 'eth_getBlockByNumber', 'latest', true),
  ]);
  const attributes = inspector.attributes(layer, latest);
  if (attributes === null) return [];
  const rollup = inspector.rollup(layer);
  const last = Number(head);
  const found = [];
  const first = Math.max(rollup.config.genesis.l1.number, last - BLOCKS);
  for await (const each of tracedBatches(plan, rollup, attributes.carried.batcher, first, last)) found.push(each);
  const shown = found.slice(-MOST).reverse();
  const costs = await costsOf(
    l1.url,
    shown.flatMap(({ channel }) => channel.frames.map(({ transaction }) => transaction)),
  );
  return shown.map(({ channel, batch }) => {
    const own = new Set(channel.frames.map(({ transaction }) => transaction));
    return {
      ...batchSummary(batch, rollup.config),
      ...{ channel: channel.id, bytes: channel.bytes, compression: channel.compression },
      l1Blocks: [...new Set(channel.frames.map(({ l1Block }) => l1Block.number))],
      frames: channel.frames.map(({ transaction, bytes, blob }) => ({ transaction, bytes, blob: blob !== undefined })),
      cost: String([...own].reduce((sum, hash) => sum + (costs.get(hash) ?? 0n), 0n)),
    };
  });
}

async function costsOf(url: string, hashes: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const receipts = await receiptsOf(url, hashes);
  return new Map(
    [...receipts].map(([hash, receipt]) => {
      const amount = (used: string, price: string) => wei(receipt[used]) * wei(receipt[price]);
      return [hash, amount('gasUsed', 'effectiveGasPrice') + amount('blobGasUsed', 'blobGasPrice')];
    }),
  );
}

function wei(value: unknown): bigint {
  return typeof value === 'string' && value !== '' ? BigInt(value) : 0n;
}
