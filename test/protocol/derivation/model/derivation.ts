import {
  differsFromSafe,
  judge,
  judgeSpan,
  judgeWholeSpan,
  type ModelBatch,
  type ModelItem,
  type Rules,
  type Situation,
} from './batches.ts';
import { childOf, type ModelBlock, type ModelL1 } from './chain.ts';

/** What the chain is after an L1 block; values, so that a reorganisation goes back to an earlier one. */
export interface ModelState {
  readonly chain: readonly ModelBlock[];
  /** First epoch that the next block may have. */
  readonly floor: number;
  /** Before strict order: batches that wait, with the L1 block that included them. */
  readonly waiting: readonly { readonly item: Exclude<ModelItem, { kind: 'broken' }>; readonly inclusion: number }[];
}

/** Takes the whole channels that an L1 block completed, in order, and tells what the chain is then. */
export function afterL1Block(
  before: ModelState,
  channels: readonly (readonly ModelItem[])[],
  read: number,
  l1: (number: number) => ModelL1,
  rules: Rules,
): ModelState {
  const chain = [...before.chain];
  let { floor } = before;
  let waiting = [...before.waiting];
  const head = () => chain.at(-1)!;
  const situation = (inclusion: number): Situation => ({ rules, l1, inclusion, read, floor, chain });
  const append = (epoch: number, batch: Pick<ModelBatch, 'transactions'>) => {
    chain.push(childOf(head(), l1(epoch), batch.transactions, rules.blockTime));
  };
  const follow = () => {
    floor = Math.max(floor, head().epoch);
  };

  /**
   * Returns the next empty block if the sequencing window is over.
   * `stop` if the epoch is full instead, `none` if the window is not over.
   */
  const empty = (isOutOfData: boolean): 'block' | 'stop' | 'none' => {
    const end = floor + rules.window;
    if (!(end < read || (end === read && isOutOfData)) || floor + 1 > read) return 'none';
    const isFirst = floor === head().epoch + 1;
    if (isFirst || head().time + rules.blockTime < l1(floor + 1).time) {
      append(floor, { transactions: [] });
      follow();
      return 'block';
    }
    floor++;
    return 'stop';
  };

  /** Strict order: one batch; false if the rest of its channel goes. */
  const takeStrictly = (item: ModelItem): boolean => {
    if (item.kind === 'broken') return false;
    if (item.kind === 'singular') return append1(item.batch);
    const verdict = judgeSpan(item, situation(read));
    if (verdict === 'past' || verdict === 'undecided') return true;
    if (verdict !== 'accept') return false;
    if (item.batches.some((batch) => differsFromSafe(batch, chain))) return false;
    const open = item.batches.filter(({ time }) => time > head().time);
    if (open.some(({ epoch }) => epoch < floor)) return false;
    return open.every((batch) =>
      append1({ ...batch, parent: head().hash, epochHash: l1(Math.min(batch.epoch, read)).hash }),
    );
  };
  const append1 = (batch: ModelBatch): boolean => {
    const verdict = judge(batch, situation(read));
    if (verdict !== 'accept') return verdict === 'past' || verdict === 'undecided';
    append(batch.epoch, batch.isRefused ? { transactions: [] } : batch);
    follow();
    return !batch.isRefused;
  };

  /**
   * Takes the first waiting batch that fits, under the rules before strict order.
   * Returns true if it made a block or ended an epoch.
   */
  const takeWaiting = (isOutOfData: boolean): 'block' | 'stop' | 'none' => {
    const later: typeof waiting = [];
    for (const [at, { item, inclusion }] of waiting.entries()) {
      const verdict =
        item.kind === 'singular' ? judge(item.batch, situation(inclusion)) : judgeWholeSpan(item, situation(inclusion));
      if (verdict === 'undecided') {
        waiting = [...later, ...waiting.slice(at)];
        return 'none';
      }
      if (verdict === 'future') later.push({ item, inclusion });
      if (verdict !== 'accept') continue;
      waiting = [...later, ...waiting.slice(at + 1)];
      const batches = item.kind === 'singular' ? [item.batch] : item.batches;
      if (!batches.some(({ isRefused }) => isRefused)) {
        for (const batch of batches) if (batch.time > head().time) append(batch.epoch, batch);
        follow();
      }
      return 'block';
    }
    waiting = later;
    return empty(isOutOfData);
  };
  const takeLoosely = (item: ModelItem): boolean => {
    if (item.kind === 'broken') return false;
    const verdict =
      item.kind === 'singular' ? judge(item.batch, situation(read)) : judgeWholeSpan(item, situation(read));
    if (verdict !== 'drop') waiting.push({ item, inclusion: read });
    takeWaiting(false);
    return true;
  };

  for (const channel of channels) channel.every(rules.isStrict ? takeStrictly : takeLoosely);
  for (let went: 'block' | 'stop' | 'none' = 'block'; went === 'block'; )
    went = rules.isStrict ? empty(true) : takeWaiting(true);
  return { chain, floor, waiting };
}
