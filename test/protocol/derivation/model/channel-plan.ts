import { u32be } from '../../../../src/protocol/bytes.ts';
import { encodeChannel } from '../../../../src/protocol/codec/channel.ts';
import { encodeSingularBatch } from '../../../../src/protocol/codec/singular-batch.ts';
import { encodeRawSpanBatch, rawSpanBatchOf } from '../../../../src/protocol/codec/span/batch.ts';
import type { Rollup } from '../../../../src/protocol/derivation/ports.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { compress } from '../scripted/compression.ts';
import { GENESIS_TIME, hashOf } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';
import type { ModelBatch, ModelItem, Rules } from './batches.ts';
import { childOf, type ModelL1 } from './chain.ts';
import type { ModelState } from './derivation.ts';

/** What is wrong with one block of a channel. */
export const FAULTS = [
  'none',
  'none',
  'none',
  'another parent',
  'a time too early',
  'a time too late',
  'an older epoch',
  'an epoch too far',
  'an epoch of another L1',
  'an epoch that is newer than the block',
  'a deposit',
  'an empty transaction',
  'a transaction type of a later fork',
  'a transaction that the engine refuses',
  'bytes that are no batch before it',
  'a bomb before it',
] as const;

/** A channel that the batcher means to post, upon the chain as it is then. */
export interface ChannelPlan {
  readonly type: 'singular' | 'span';
  readonly compression: 'zlib' | 'brotli';
  readonly blocks: number;
  /** Which of them is at fault. */
  readonly at: number;
  readonly fault: (typeof FAULTS)[number];
  /**
   * Blocks before the head at which a span batch begins.
   * For singular batches (not 0), a valid block follows the invalid one.
   */
  readonly overlap: number;
  /** Takes the next L1 origin as soon as it may, else only when it must. */
  readonly isEager: boolean;
  readonly transactions: number;
  /** Makes its transactions others than those of any other plan. */
  readonly nonce: number;
}

/** Transactions of these nonces are refused by the engine. */
const REFUSED = 1_000_000;
export const refusedTransaction = (nonce: number): Hex => userTransaction(REFUSED + nonce);

/** Bytes of a decompressed channel in these tests. */
export const MAX_RLP = 30_000;

/** The items of a planned channel upon a chain; `newestL1`: newest L1 block that batches may name. */
export function planChannel(
  plan: ChannelPlan,
  { chain, floor }: ModelState,
  newestL1: number,
  l1: (number: number) => ModelL1,
  rules: Rules,
): readonly ModelItem[] {
  const { batches, parent } = goodBatches(plan, chain, floor, newestL1, l1, rules);
  const fault = (batch: ModelBatch) => withFault(plan, batch, floor, newestL1, l1, rules);
  const isBroken = plan.fault.endsWith('before it');
  const at = plan.at % batches.length;
  if (plan.type === 'singular') {
    const items = batches.flatMap((batch, index): ModelItem[] => {
      const list = index !== at ? [batch] : plan.overlap > 0 ? [fault(batch), batch] : [fault(batch)];
      return list.map((one) => ({ kind: 'singular', batch: one }));
    });
    return isBroken ? [...items.slice(0, at), { kind: 'broken' }, ...items.slice(at)] : items;
  }
  const shift = plan.fault === 'a time too late' ? rules.blockTime : plan.fault === 'a time too early' ? -1 : 0;
  const isRefused = plan.fault === 'a transaction that the engine refuses';
  const span: ModelItem = {
    kind: 'span',
    batches: batches
      .map((batch, index) => (isRefused && index === at ? fault(batch) : batch))
      .map((batch) => ({ ...batch, time: batch.time + shift })),
    parentCheck: plan.fault === 'another parent' ? hashOf('nobody') : parent,
    originCheck: plan.fault === 'an epoch of another L1' ? hashOf('elsewhere') : l1(batches.at(-1)!.epoch).hash,
  };
  return isBroken ? [{ kind: 'broken' }, span] : [span];
}

/** What a correct batcher would say of the next blocks, and of some before them. */
function goodBatches(
  plan: ChannelPlan,
  chain: ModelState['chain'],
  floor: number,
  newestL1: number,
  l1: (number: number) => ModelL1,
  rules: Rules,
): { batches: ModelBatch[]; parent: Hex } {
  const back = plan.type === 'span' ? Math.min(plan.overlap, chain.length - 1) : 0;
  const before = chain.slice(chain.length - back);
  const batches: ModelBatch[] = before.map(({ time, epoch, transactions }) => ({
    time,
    parent: hashOf('unknown'),
    epoch,
    epochHash: l1(epoch).hash,
    transactions,
    isForbidden: false,
    isRefused: false,
  }));
  let head = chain.at(-1)!;
  let epoch = floor;
  for (let block = 0; block < plan.blocks; block++) {
    const time = head.time + rules.blockTime;
    const next = epoch + 1 <= newestL1 ? l1(epoch + 1) : undefined;
    const isLate = time > l1(epoch).time + rules.drift;
    if (next && next.time <= time && (plan.isEager || isLate)) epoch++;
    const mayHave = time <= l1(epoch).time + rules.drift;
    const transactions = Array.from({ length: mayHave ? plan.transactions : 0 }, (_, at) =>
      userTransaction(1000 * plan.nonce + 10 * block + at),
    );
    batches.push({
      time,
      parent: head.hash,
      epoch,
      epochHash: l1(epoch).hash,
      transactions,
      isForbidden: false,
      isRefused: false,
    });
    head = childOf(head, l1(epoch), transactions, rules.blockTime);
  }
  return { batches, parent: chain[chain.length - back - 1]?.hash ?? hashOf('before genesis') };
}

function withFault(
  plan: ChannelPlan,
  batch: ModelBatch,
  floor: number,
  newestL1: number,
  l1: (number: number) => ModelL1,
  rules: Rules,
): ModelBatch {
  const inEpoch = (epoch: number): ModelBatch => ({
    ...batch,
    epoch,
    epochHash: epoch >= 100 && epoch <= newestL1 ? l1(epoch).hash : hashOf(`epoch ${epoch}`),
  });
  const withTransaction = (transaction: Hex): ModelBatch => ({
    ...batch,
    transactions: [...batch.transactions, transaction],
    isForbidden: true,
  });
  switch (plan.fault) {
    case 'another parent':
      return { ...batch, parent: hashOf('nobody') };
    case 'a time too early':
      return { ...batch, time: batch.time - rules.blockTime };
    case 'a time too late':
      return { ...batch, time: batch.time + rules.blockTime };
    case 'an older epoch':
      return inEpoch(Math.max(1, floor - 1));
    case 'an epoch too far':
      return inEpoch(batch.epoch + 2);
    case 'an epoch of another L1':
      return { ...batch, epochHash: hashOf('elsewhere') };
    case 'an epoch that is newer than the block':
      return batch.epoch + 1 <= newestL1 && l1(batch.epoch + 1).time > batch.time ? inEpoch(batch.epoch + 1) : batch;
    case 'a deposit':
      return withTransaction('0x7e01');
    case 'an empty transaction':
      return withTransaction('0x');
    case 'a transaction type of a later fork':
      return withTransaction('0x04c0');
    case 'a transaction that the engine refuses':
      return { ...batch, transactions: [...batch.transactions, refusedTransaction(plan.nonce)], isRefused: true };
    default:
      return batch;
  }
}

/** The compressed channel of these items. */
export function encodePlan(plan: ChannelPlan, items: readonly ModelItem[], rollup: Rollup): Uint8Array {
  const chain = { genesisTime: GENESIS_TIME, blockTime: rollup.config.block_time, chainId: rollup.config.l2_chain_id };
  const singular = ({ time, parent, epoch, epochHash, transactions }: ModelBatch) => ({
    parentHash: parent,
    epochNum: epoch,
    epochHash,
    timestamp: time,
    transactions,
  });
  const encoded = items.map((item) => {
    if (item.kind === 'broken')
      return plan.fault === 'a bomb before it' ? new Uint8Array(MAX_RLP) : Uint8Array.from([9, ...u32be(plan.nonce)]);
    if (item.kind === 'singular') return encodeSingularBatch(singular(item.batch));
    const [first] = item.batches;
    const raw = rawSpanBatchOf(item.batches.map(singular), isNewEpoch(item.batches, first!.epoch), chain);
    return encodeRawSpanBatch({
      ...raw,
      parentCheck: item.parentCheck.slice(0, 42) as Hex,
      l1OriginCheck: item.originCheck.slice(0, 42) as Hex,
    });
  });
  return encodeChannel(encoded, plan.compression, compress);
}

/** The bit of the first block has no bearing on its epoch, which is counted back from the last block's. */
function isNewEpoch(batches: readonly ModelBatch[], first: number): boolean {
  return batches.every(({ epoch }) => epoch !== first);
}
