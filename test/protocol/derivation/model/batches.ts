import type { Hex } from '../../../../src/protocol/types.ts';
import type { ModelBlock, ModelL1 } from './chain.ts';

/** One L2 block as the batcher describes it. */
export interface ModelBatch {
  readonly time: number;
  readonly parent: Hex;
  readonly epoch: number;
  readonly epochHash: Hex;
  readonly transactions: readonly Hex[];
  /** Carries a transaction that no batch may have. */
  readonly isForbidden: boolean;
  /** Carries a transaction that the engine refuses. */
  readonly isRefused: boolean;
}

/** What a channel holds, in order; `broken`: bytes at which reading the channel ends. */
export type ModelItem =
  | { readonly kind: 'singular'; readonly batch: ModelBatch }
  | {
      readonly kind: 'span';
      readonly batches: readonly ModelBatch[];
      readonly parentCheck: Hex;
      readonly originCheck: Hex;
    }
  | { readonly kind: 'broken' };

export type Verdict = 'accept' | 'drop' | 'future' | 'past' | 'undecided';

export interface Rules {
  readonly isStrict: boolean;
  readonly window: number;
  readonly drift: number;
  readonly blockTime: number;
}

/** Context of a batch: its L1 inclusion block, the first epoch still open for blocks, and the chain so far. */
export interface Situation {
  readonly rules: Rules;
  readonly l1: (number: number) => ModelL1;
  readonly inclusion: number;
  /** Newest L1 block that was read. */
  readonly read: number;
  readonly floor: number;
  readonly chain: readonly ModelBlock[];
}

/** The rules for one block, read off the specification's list. */
export function judge(batch: ModelBatch, { rules, l1, inclusion, read, floor, chain }: Situation): Verdict {
  const head = chain.at(-1)!;
  const due = head.time + rules.blockTime;
  if (batch.time > due) return rules.isStrict ? 'drop' : 'future';
  if (batch.time < due) return rules.isStrict ? 'past' : 'drop';
  if (batch.parent !== head.hash || batch.epoch + rules.window < inclusion) return 'drop';
  if (batch.epoch > head.epoch + 1) return 'drop';
  return judgeEpoch(batch, { rules, l1, read, floor });
}

/** Those of them that are about the L1 origin and the transactions. */
function judgeEpoch(
  batch: ModelBatch,
  { rules, l1, read, floor }: Pick<Situation, 'rules' | 'l1' | 'read' | 'floor'>,
): Verdict {
  if (batch.epoch !== floor && batch.epoch !== floor + 1) return 'drop';
  if (batch.epoch > read) return 'undecided';
  const origin = l1(batch.epoch);
  if (batch.epochHash !== origin.hash || batch.time < origin.time || batch.isForbidden) return 'drop';
  if (batch.time <= origin.time + rules.drift) return 'accept';
  if (batch.transactions.length > 0) return 'drop';
  if (batch.epoch === floor + 1) return 'accept';
  if (floor + 1 > read) return 'undecided';
  return batch.time >= l1(floor + 1).time ? 'drop' : 'accept';
}

/** Whether a span batch may be opened at all: what its head says of parent, times and L1 origins. */
export function judgeSpan(span: Extract<ModelItem, { kind: 'span' }>, situation: Situation): Verdict {
  const { rules, l1, inclusion, read, floor, chain } = situation;
  const head = chain.at(-1)!;
  const due = head.time + rules.blockTime;
  const first = span.batches[0]!;
  const last = span.batches.at(-1)!;
  if (first.time > due) return rules.isStrict ? 'drop' : 'future';
  if (last.time < due) return rules.isStrict ? 'past' : 'drop';
  const parent = chain.find(({ time }) => time === first.time - rules.blockTime);
  if (parent === undefined || span.parentCheck.slice(0, 42) !== parent.hash.slice(0, 42)) return 'drop';
  if (first.epoch + rules.window < inclusion || first.epoch > parent.epoch + 1) return 'drop';
  if (last.epoch > read) return 'undecided';
  if (last.epoch < floor) return rules.isStrict ? 'undecided' : 'drop';
  if (span.originCheck.slice(0, 42) !== l1(last.epoch).hash.slice(0, 42)) return 'drop';
  return first.epoch < parent.epoch ? 'drop' : 'accept';
}

/** Whether a block is safe already, and another one. */
export function differsFromSafe(batch: ModelBatch, chain: readonly ModelBlock[]): boolean {
  const block = chain.find(({ time }) => time === batch.time);
  if (block === undefined) return false;
  return block.epoch !== batch.epoch || block.transactions.join() !== batch.transactions.join();
}

/** Before strict order: all blocks of a span batch at once, those that are safe already being the same. */
export function judgeWholeSpan(span: Extract<ModelItem, { kind: 'span' }>, situation: Situation): Verdict {
  const verdict = judgeSpan(span, situation);
  if (verdict !== 'accept') return verdict;
  const { chain, rules, l1, read } = situation;
  let floor = situation.floor;
  for (const batch of span.batches) {
    if (differsFromSafe(batch, chain)) return 'drop';
    if (chain.some(({ time }) => time === batch.time)) continue;
    const one = judgeEpoch({ ...batch, epochHash: l1(Math.min(batch.epoch, read)).hash }, { rules, l1, read, floor });
    if (one !== 'accept') return one;
    floor = batch.epoch;
  }
  return 'accept';
}
