import { decodeBatcherTransaction } from '../../protocol/codec/frame.ts';
import { jsonFields } from '../../protocol/codec/json.ts';
import type { ReadBatch } from '../../protocol/derivation/stages/channel-reader.ts';
import { sameHex } from '../../protocol/hex.ts';
import type { RollupConfig } from '../../protocol/types.ts';
import { messageOf } from '../../system/failure.ts';
import { leaderIn, readLeaders } from '../status/leaders.ts';
import { rollupConfigOf } from '../status/rollup-config.ts';
import { inputsOf, tracedBatches } from './carrier.ts';
import type { Inspector, Json, L2Layer } from './inspector.ts';
import { l1Blocks } from './l1-blocks.ts';

/** What a transaction to a batch inbox holds. Keys are only ever added. */
export interface InboxData {
  readonly chain: string;
  readonly frames: readonly {
    readonly channel: string;
    readonly number: number;
    /** Bytes of its data. */
    readonly bytes: number;
    readonly isLast: boolean;
    readonly blob: string | null;
  }[];
  /** Batches of the channels, with their L2 blocks; empty if a channel is not complete. */
  readonly batches: readonly {
    readonly channel: string;
    readonly kind: 'singular' | 'span';
    readonly firstBlock: number;
    readonly lastBlock: number;
    readonly transactions: number;
  }[];
  /** Why the data cannot be decoded. */
  readonly problem: string | null;
}

/** Decodes a transaction to the batch inbox of a chain; null if it goes elsewhere. */
export async function inboxData(inspector: Inspector, transaction: Json, block: Json): Promise<InboxData | null> {
  const { plan } = inspector;
  const fields = jsonFields(transaction, 'transaction');
  const to = fields.has('to') ? fields.data('to', 20) : '';
  const chain = plan.network.chains.find((each) => sameHex(rollupConfigOf(each).batch_inbox_address, to));
  const node = chain && leaderIn(chain, await readLeaders(plan));
  if (chain === undefined || node === undefined) return null;
  const layer: L2Layer = { kind: 'l2', label: chain.name, url: node.el.http, chain, node };
  const rollup = inspector.rollup(layer);
  const { number, timestamp, hash } = { ...placeOf(block), hash: fields.data('hash', 32) };
  const sender = fields.data('from', 20);
  const empty = { chain: chain.name, frames: [], batches: [] };
  try {
    const inputs = [];
    for await (const each of l1Blocks(plan, number, number))
      inputs.push(...(await inputsOf(plan, rollup, sender, each)));
    const frames = inputs
      .filter(({ transaction: carrier }) => carrier === hash)
      .flatMap(({ data, blob = null }) =>
        decodeBatcherTransaction(data).map((frame) => {
          return {
            channel: frame.channelId,
            number: frame.number,
            bytes: frame.data.length,
            isLast: frame.isLast,
            blob,
          };
        }),
      );
    const timeout = rollup.rulesAt(timestamp).channels.timeout(rollup.config);
    const first = Math.max(rollup.config.genesis.l1.number, number - timeout);
    const open = new Set<string>(frames.map(({ channel }) => channel));
    const batches: InboxData['batches'][number][] = [];
    for await (const { channel, batch } of tracedBatches(plan, rollup, sender, first, number + timeout)) {
      if (channel.frames.some(({ transaction: carrier }) => carrier === hash)) {
        batches.push({ channel: channel.id, ...batchSummary(batch, rollup.config) });
        open.delete(channel.id);
      } else if (open.size === 0 && batches.length > 0) break;
    }
    return { chain: chain.name, frames, batches, problem: null };
  } catch (error) {
    return { ...empty, problem: messageOf(error) };
  }
}

function placeOf(block: Json) {
  const fields = jsonFields(block, 'L1 block');
  return { number: fields.number('number'), timestamp: fields.number('timestamp') };
}

/** Returns the L2 blocks and the number of transactions of a batch. */
export function batchSummary({ kind, batch }: ReadBatch, config: RollupConfig) {
  const numberAt = (time: number) => config.genesis.l2.number + (time - config.genesis.l2_time) / config.block_time;
  const blocks = kind === 'span' ? batch.blocks : [batch];
  const times = blocks.map(({ timestamp }) => timestamp);
  return {
    kind,
    firstBlock: numberAt(Math.min(...times)),
    lastBlock: numberAt(Math.max(...times)),
    transactions: blocks.reduce((sum, { transactions }) => sum + transactions.length, 0),
  };
}
