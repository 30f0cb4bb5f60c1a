import { encodeBatcherTransaction, type Frame, splitIntoFrames } from '../../../../src/protocol/codec/frame.ts';
import type { Rollup } from '../../../../src/protocol/derivation/ports.ts';
import type { Hex, L1Transaction } from '../../../../src/protocol/types.ts';
import { calldataTransaction, type ScriptedL1, scriptedL1 } from '../scripted/l1.ts';
import { GENESIS_L1, GENESIS_L2, GENESIS_TIME } from '../scripted/rollup.ts';
import { depositLog, receiptsOf } from '../scripted/transactions.ts';
import type { ModelItem, Rules } from './batches.ts';
import type { ModelL1 } from './chain.ts';
import { type ChannelPlan, encodePlan, planChannel } from './channel-plan.ts';
import { afterL1Block, type ModelState } from './derivation.ts';

/** How a channel's frames come to L1. */
export const DELIVERIES = [
  'whole',
  'frame by frame',
  'in a blob',
  'twice',
  'each frame twice',
  'last frame first',
  'last frame first in one transaction',
  'with a frame missing',
  'cut off',
  'by a stranger',
  'after garbage',
  'in two parts',
] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** One thing that happens. */
export type Step =
  | { readonly kind: 'mine'; readonly after: number; readonly deposits: number; readonly count: number }
  | {
      readonly kind: 'post';
      readonly plan: ChannelPlan;
      readonly delivery: Delivery;
      readonly frames: number;
      readonly gap: number;
    }
  | { readonly kind: 'reorg'; readonly depth: number }
  | { readonly kind: 'look' };

interface Snapshot {
  readonly state: ModelState;
  /** With strict order: the channel that a next frame may continue. */
  readonly staging: Hex | null;
}
interface Later {
  readonly due: number;
  readonly opened: number;
  readonly id: Hex;
  readonly frames: readonly Frame[];
  readonly items: readonly ModelItem[];
}

/** An L1 that is written step by step, and what the model says is derived from it. */
export class History {
  readonly l1: ScriptedL1 = scriptedL1();
  readonly #rollup: Rollup;
  readonly #rules: Rules;
  readonly #timeout: number;
  readonly #blocks: ModelL1[] = [{ ...GENESIS_L1, time: GENESIS_TIME, deposits: 0 }];
  readonly #snapshots: Snapshot[];
  #pending: { transactions: L1Transaction[]; channels: (readonly ModelItem[])[]; staging: Hex | null };
  #later: Later[] = [];
  #count = 0;
  #lookedAt = GENESIS_L1.number;
  #isReorganised = false;

  constructor(rollup: Rollup, isStrict: boolean) {
    const { block_time: blockTime, seq_window_size: window } = rollup.config;
    const rules = rollup.rulesAt(GENESIS_TIME);
    this.#rollup = rollup;
    this.#rules = { isStrict, window, blockTime, drift: rules.batches.maxSequencerDrift(rollup.config) };
    this.#timeout = rules.channels.timeout(rollup.config);
    const genesis = { ...GENESIS_L2, time: GENESIS_TIME, epoch: GENESIS_L1.number, sequence: 0, transactions: [] };
    this.#snapshots = [{ state: { chain: [genesis], floor: GENESIS_L1.number, waiting: [] }, staging: null }];
    this.#pending = { transactions: [], channels: [], staging: null };
  }

  /** Hashes of the chain that is to be derived from L1 as it stands. */
  expected(): readonly Hex[] {
    return this.#snapshots.at(-1)!.state.chain.map(({ hash }) => hash);
  }

  /** Mines past the highest block read so far. A verifier cannot see a reorganisation that makes L1 no longer. */
  outgrow(): void {
    while (this.#isReorganised && this.#next <= this.#lookedAt + 1) this.#mine(6, 0);
    this.#lookedAt = this.#blocks.at(-1)!.number;
    this.#isReorganised = false;
  }

  /** How many of them have transactions of users. */
  blocksWithTransactions(): number {
    return this.#snapshots.at(-1)!.state.chain.filter(({ transactions }) => transactions.length > 0).length;
  }

  take(step: Exclude<Step, { kind: 'look' }>): void {
    if (step.kind === 'mine') for (let block = 0; block < step.count; block++) this.#mine(step.after, step.deposits);
    else if (step.kind === 'post') this.#post(step);
    else this.#reorg(step.depth);
  }

  /** The L1 block of the number that is mined next. */
  get #next(): number {
    return GENESIS_L1.number + this.#blocks.length;
  }

  readonly #l1Block = (number: number): ModelL1 => this.#blocks[number - GENESIS_L1.number]!;

  #mine(after: number, deposits: number): void {
    this.#deliverLater();
    const { transactions, channels, staging } = this.#pending;
    const logs = Array.from({ length: deposits }, (_, at) =>
      depositLog(`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`, BigInt(at + 1)),
    );
    const { hash, number, timestamp: time } = this.l1.mine({ transactions, receipts: receiptsOf(...logs), after });
    this.#blocks.push({ hash, number, time, deposits });
    const state = afterL1Block(this.#snapshots.at(-1)!.state, channels, number, this.#l1Block, this.#rules);
    this.#snapshots.push({ state, staging });
    this.#pending = { transactions: [], channels: [], staging };
  }

  #reorg(depth: number): void {
    const length = Math.max(1, this.#blocks.length - depth);
    this.#blocks.length = length;
    this.#snapshots.length = length;
    this.l1.reorgTo(GENESIS_L1.number + length - 1);
    this.#later = [];
    this.#isReorganised = true;
    this.#pending = { transactions: [], channels: [], staging: this.#snapshots.at(-1)!.staging };
  }

  #post({ plan, delivery, frames: count, gap }: Extract<Step, { kind: 'post' }>): void {
    const last = this.#blocks.at(-1)!.number;
    const preview = afterL1Block(
      this.#snapshots.at(-1)!.state,
      this.#pending.channels,
      last,
      this.#l1Block,
      this.#rules,
    );
    const items = planChannel(plan, preview, last, this.#l1Block, this.#rules);
    const channel = encodePlan(plan, items, this.#rollup);
    const id: Hex = `0x${(++this.#count).toString(16).padStart(32, '0')}`;
    const frames = splitIntoFrames(id, channel, Math.ceil(channel.length / count) + 23);
    this.#deliver(id, frames, items, delivery, gap);
  }

  /** Puts the frames into the next L1 block, and notes what comes of it. */
  #deliver(id: Hex, frames: readonly Frame[], items: readonly ModelItem[], delivery: Delivery, gap: number): void {
    const { transactions, channels } = this.#pending;
    const post = (...sent: Frame[][]) =>
      transactions.push(...sent.map((some) => calldataTransaction(encodeBatcherTransaction(some))));
    const isStrict = this.#rules.isStrict;
    const complete = (times = 1) => {
      for (let time = 0; time < times; time++) channels.push(items);
      this.#pending.staging = null;
    };
    const all = [...frames];
    const each = all.map((frame) => [frame]);
    switch (delivery) {
      case 'whole':
        post(all);
        complete();
        break;
      case 'frame by frame':
        post(...each);
        complete();
        break;
      case 'in a blob':
        transactions.push(this.l1.blobTransaction([encodeBatcherTransaction(all)]));
        complete();
        break;
      case 'twice':
        post(all, all);
        complete(2);
        break;
      case 'each frame twice':
        post(all.flatMap((frame) => [frame, frame]));
        complete(frames.length === 1 && !isStrict ? 2 : 1);
        break;
      case 'after garbage':
        transactions.push(calldataTransaction(Uint8Array.of(0, 1, 2, 3)), calldataTransaction(new Uint8Array(0)));
        post(all);
        complete();
        break;
      case 'last frame first':
        post(...each.toReversed());
        if (!isStrict || frames.length === 1) complete();
        else this.#pending.staging = id;
        break;
      case 'last frame first in one transaction':
        post(all.toReversed());
        if (!isStrict || frames.length === 1) complete();
        break;
      case 'with a frame missing': {
        const missing = gap % frames.length;
        post(...each.filter((_, at) => at !== missing));
        if (missing > 0) this.#pending.staging = id;
        break;
      }
      case 'cut off':
        transactions.push(calldataTransaction(encodeBatcherTransaction(all).slice(0, -1 - (gap % 5))));
        break;
      case 'by a stranger':
        transactions.push(calldataTransaction(encodeBatcherTransaction(all), { from: `0x${'99'.repeat(20)}` }));
        break;
      case 'in two parts': {
        if (frames.length === 1) {
          post(all);
          complete();
          break;
        }
        const half = frames.length >> 1;
        post(...each.slice(0, half));
        this.#pending.staging = id;
        const opened = this.#next;
        this.#later.push({ due: opened + gap, opened, id, frames: frames.slice(half), items });
      }
    }
  }

  /** Second parts whose time has come: those of a channel that is still open complete it. */
  #deliverLater(): void {
    const due = this.#later.filter((later) => later.due <= this.#next);
    this.#later = this.#later.filter((later) => !due.includes(later));
    for (const { id, frames, items, opened } of due) {
      this.#pending.transactions.push(...frames.map((frame) => calldataTransaction(encodeBatcherTransaction([frame]))));
      const isInTime = this.#next <= opened + this.#timeout;
      if (!isInTime || (this.#rules.isStrict && this.#pending.staging !== id)) continue;
      this.#pending.channels.push(items);
      this.#pending.staging = null;
    }
  }
}
