import { jsonFields } from '../../protocol/codec/json.ts';
import { activatesAt } from '../../protocol/forks/index.ts';
import { quantity } from '../../protocol/hex.ts';
import { jsonObjects } from '../../rpc/json-object.ts';
import { messageOf } from '../../system/failure.ts';
import { scheduleFrom } from '../divergence/explain/schedules.ts';
import { isoTime } from '../status/forks.ts';
import type { Carrier } from './carrier.ts';
import type { Inspector, Json } from './inspector.ts';
import { ask, type Layer } from './layer.ts';
import { type TransactionRow, transactionRow } from './transaction.ts';

/** Output of `devnet block --json`. Keys are only ever added. */
export interface BlockView {
  /** `l1`, or `<chain>/<node>`. */
  readonly place: string;
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Unix seconds. */
  readonly time: number;
  readonly at: string;
  /** How far the chain has confirmed it. */
  readonly state: 'unsafe' | 'safe' | 'finalized';
  readonly gasUsed: number;
  readonly gasLimit: number;
  /** wei */
  readonly baseFee: string | null;
  readonly extraData: string;
  /** Of an L2 block. */
  readonly origin: { readonly number: number; readonly hash: string; readonly sequenceNumber: number } | null;
  /** Forks whose first block it is. */
  readonly activates: readonly string[];
  /** Transactions of the block, of which `transactions` may be a part. */
  readonly transactionCount: number;
  readonly transactions: readonly TransactionRow[];
  /** What carried it to L1; null on L1. */
  readonly carrier: Carrier | null;
}

/**
 * Reads everything that is known of a block by its number, tag or hash; undefined if the layer has none.
 * `range`: the transactions that are decoded.
 */
export async function readBlock(
  inspector: Inspector,
  layer: Layer,
  id: string,
  range: { readonly from: number; readonly count: number } = { from: 0, count: Number.POSITIVE_INFINITY },
): Promise<BlockView | undefined> {
  const method = id.length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
  const block = await ask<Json | null>(layer, method, id, true);
  if (block === null) return undefined;
  const fields = jsonFields(block, 'block');
  const number = fields.number('number');
  const time = fields.number('timestamp');
  const onL2 = layer.kind === 'l2';
  const [receipts, safe, finalized, carrier] = await Promise.all([
    ask<readonly Json[] | null>(layer, 'eth_getBlockReceipts', quantity(number)),
    headAt(layer, 'safe'),
    headAt(layer, 'finalized'),
    onL2
      ? inspector
          .carrier(layer, block)
          .catch((error: unknown): Carrier => ({ kind: 'none', because: messageOf(error) }))
      : null,
  ]);
  const attributes = onL2 ? inspector.attributes(layer, block) : null;
  const schedule = onL2 ? scheduleFrom(layer.chain.forks, layer.node.overrides) : {};
  const hash = fields.data('hash', 32);
  const transactions = jsonObjects(fields.array('transactions'), 'transactions');
  const byHash = new Map((receipts ?? []).map((receipt) => [receipt['transactionHash'], receipt]));
  const rows = transactions.slice(range.from, range.from + range.count);
  await inspector.identify(
    layer,
    rows.flatMap(({ to }) => (typeof to === 'string' ? [to] : [])),
  );
  return {
    place: layer.label,
    ...{ number, hash, time, at: isoTime(time) },
    parentHash: fields.data('parentHash', 32),
    state: number <= finalized ? 'finalized' : number <= safe ? 'safe' : 'unsafe',
    gasUsed: fields.number('gasUsed'),
    gasLimit: fields.number('gasLimit'),
    baseFee: fields.has('baseFeePerGas') ? String(fields.bigint('baseFeePerGas')) : null,
    extraData: fields.data('extraData'),
    origin:
      attributes === null ? null : { ...attributes.carried.origin, sequenceNumber: attributes.info.sequenceNumber },
    activates: onL2 ? activatesAt(schedule, time, layer.chain.blockTime).map(({ name }) => name) : [],
    transactionCount: transactions.length,
    transactions: rows.map((transaction) =>
      transactionRow(inspector, layer, transaction, byHash.get(transaction['hash']) ?? null),
    ),
    carrier,
  };
}

async function headAt(layer: Layer, tag: string): Promise<number> {
  const head = await ask<Json | null>(layer, 'eth_getBlockByNumber', tag, false).catch(() => null);
  return head === null ? -1 : Number(head['number']);
}
