import { depositHash } from '../../protocol/codec/deposit.ts';
import { depositOfLog, TRANSACTION_DEPOSITED_TOPIC } from '../../protocol/codec/deposit-log.ts';
import { jsonFields } from '../../protocol/codec/json.ts';
import { l1AttributesSourceHash } from '../../protocol/codec/source-hash.ts';
import { activatesAt } from '../../protocol/forks/index.ts';
import { sameHex } from '../../protocol/hex.ts';
import type { Log } from '../../protocol/types.ts';
import { l1Reader, l1ReceiptOf } from '../divergence/explain/l1.ts';
import { scheduleFrom } from '../divergence/explain/schedules.ts';
import type { Inspector, Json, L2Layer } from './inspector.ts';

/** Where a deposit on L2 comes from. Keys are only ever added. */
export type DepositSource = {
  readonly sourceHash: string;
  /** Minted to the sender, in wei. */
  readonly mint: string;
  readonly isSystem: boolean;
} & (
  | {
      readonly kind: 'l1-attributes';
      readonly origin: { readonly number: number; readonly hash: string };
      readonly sequenceNumber: number;
      readonly attributes: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'user';
      readonly l1: { readonly block: number; readonly transaction: string; readonly logIndex: number };
    }
  | { readonly kind: 'upgrade'; readonly forks: readonly string[] }
  | { readonly kind: 'unknown' }
);

/** Finds the L1 data from which a deposit of a block was derived. */
export async function depositSource(
  inspector: Inspector,
  layer: L2Layer,
  transaction: Json,
  block: Json,
): Promise<DepositSource> {
  const fields = jsonFields(transaction, 'transaction');
  const sourceHash = fields.data('sourceHash', 32);
  const facts = {
    sourceHash,
    mint: fields.has('mint') ? String(fields.bigint('mint')) : '0',
    isSystem: fields.has('isSystemTx') && transaction['isSystemTx'] === true,
  };
  const attributes = inspector.attributes(layer, block);
  if (attributes === null) return { ...facts, kind: 'unknown' };
  const { info, carried } = attributes;
  const { origin, timestamp } = carried;
  if (sourceHash === l1AttributesSourceHash(origin.hash, info.sequenceNumber)) {
    const attributes = Object.fromEntries(
      Object.entries(info).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
    );
    return { ...facts, kind: 'l1-attributes', origin, sequenceNumber: info.sequenceNumber, attributes };
  }
  const receipts = (await l1Reader(inspector.plan.network.l1.rpc).receipts(origin.hash)) ?? [];
  for (const { transactionHash, logs } of receipts)
    for (const log of logs)
      if (isDeposit(log) && depositOfLog(log, origin.hash).sourceHash === sourceHash)
        return {
          ...facts,
          kind: 'user',
          l1: { block: origin.number, transaction: transactionHash, logIndex: log.logIndex },
        };
  const schedule = scheduleFrom(layer.chain.forks, layer.node.overrides);
  const forks = activatesAt(schedule, timestamp, layer.chain.blockTime).map(({ name }) => name);
  return forks.length > 0 ? { ...facts, kind: 'upgrade', forks } : { ...facts, kind: 'unknown' };
}

/** Lists the transactions on L2 that a receipt of L1 deposits. */
export function depositsMade(
  { plan }: Inspector,
  receipt: Json,
): readonly { readonly chain: string; readonly hash: string }[] {
  const blockHash = jsonFields(receipt, 'receipt').data('blockHash', 32);
  return l1ReceiptOf(receipt)
    .logs.filter(isDeposit)
    .flatMap((log) => {
      const chain = plan.network.chains.find(({ contracts }) =>
        sameHex(contracts.l1['OptimismPortal'] ?? '', log.address),
      );
      return chain === undefined ? [] : [{ chain: chain.name, hash: depositHash(depositOfLog(log, blockHash)) }];
    });
}

function isDeposit({ topics }: Log): boolean {
  return topics[0] === TRANSACTION_DEPOSITED_TOPIC;
}
