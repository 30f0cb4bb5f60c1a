import { BatchDecoder } from '../../../protocol/derivation/encode/batch-decoder.ts';
import type { Hex } from '../../../protocol/types.ts';
import { decompressors } from '../../../system/files/decompress.ts';
import { l1HeaderOf } from '../../divergence/explain/l1.ts';
import { inputsOf } from '../../inspect/carrier.ts';
import { batchSummary } from '../../inspect/inbox.ts';
import type { Inspector, Json, L2Layer } from '../../inspect/inspector.ts';
import { l1Blocks } from '../../inspect/l1-blocks.ts';
import { ask } from '../../inspect/layer.ts';
import { receiptsOf } from './receipts.ts';

/** L1 blocks that are searched at first, and batches that are shown: the newest. */
const FIRST_SEARCH_BLOCKS = 120;
const MAX_SHOWN_BATCHES = 40;

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
export type BatchReader = (inspector: Inspector, layer: L2Layer) => Promise<readonly BatchRow[]>;

/** The batches of a chain up to an L1 block. */
interface ReaderState {
  /** Chain, genesis and batcher. */
  readonly of: string;
  readonly decoder: BatchDecoder;
  /** The next L1 block, and the hash of the one before it; undefined before the first. */
  next: number;
  tip: Hex | undefined;
  /** The oldest first. */
  rows: readonly BatchRow[];
}

/** Creates a reader. It reads each L1 block once, and begins anew after a reorganisation of L1. */
export function batchReader(): BatchReader {
  const states = new Map<string, ReaderState>();
  let before: Promise<unknown> = Promise.resolve();

  async function read(inspector: Inspector, layer: L2Layer): Promise<readonly BatchRow[]> {
    const { plan } = inspector;
    const l1 = { url: plan.network.l1.rpc };
    const [head, latest] = await Promise.all([
      ask(l1, 'eth_getBlockByNumber', 'latest', false).then(l1HeaderOf),
      ask<Json>(layer, 'eth_getBlockByNumber', 'latest', true),
    ]);
    const attributes = inspector.attributes(layer, latest);
    if (attributes === null) return [];
    const { batcher } = attributes.carried;
    const rollup = inspector.rollup(layer);
    const last = head.number;
    const of = `${rollup.config.genesis.l2.hash} ${batcher}`;
    const begin = (): ReaderState => {
      const next = Math.max(rollup.config.genesis.l1.number, last - FIRST_SEARCH_BLOCKS);
      const decoder = new BatchDecoder(rollup, { decompress: decompressors });
      return { of, decoder, next, tip: undefined, rows: [] };
    };
    const add = async (state: ReaderState): Promise<boolean> => {
      for await (const block of l1Blocks(plan, state.next, last)) {
        const { header } = block;
        if (state.tip !== undefined && header.parentHash !== state.tip) return false;
        const batches = await state.decoder.read(header, await inputsOf(plan, rollup, batcher, block));
        const costs = await costsOf(
          l1.url,
          batches.flatMap(({ channel }) => channel.frames.map(({ transaction }) => transaction)),
        );
        const rows = batches.map(({ channel, batch }): BatchRow => {
          const hashes = new Set(channel.frames.map(({ transaction }) => transaction));
          return {
            ...batchSummary(batch, rollup.config),
            ...{ channel: channel.id, bytes: channel.bytes, compression: channel.compression },
            l1Blocks: [...new Set(channel.frames.map(({ l1Block }) => l1Block.number))],
            frames: channel.frames.map(({ transaction, bytes, blob }) => {
              return { transaction, bytes, blob: blob !== undefined };
            }),
            cost: String([...hashes].reduce((sum, hash) => sum + (costs.get(hash) ?? 0n), 0n)),
          };
        });
        state.rows = [...state.rows, ...rows].slice(-MAX_SHOWN_BATCHES);
        state.next = header.number + 1;
        state.tip = header.hash;
      }
      return true;
    };
    const previous = states.get(layer.chain.name);
    // A head that is lower than the blocks read, another one at their height, or far above them is another chain or a
    // long time later. Above them, the parent of the first new block tells.
    const follows = (tip: Hex | undefined, next: number) =>
      next <= last ? last - next <= FIRST_SEARCH_BLOCKS : next === last + 1 && tip === head.hash;
    const goesOn = previous !== undefined && previous.of === of && follows(previous.tip, previous.next);
    let state = goesOn ? previous : begin();
    // What fails on the way is read anew.
    states.delete(layer.chain.name);
    if (!(await add(state))) {
      state = begin();
      await add(state);
    }
    states.set(layer.chain.name, state);
    return state.rows.toReversed();
  }

  return (inspector, layer) => {
    // Two pages do not feed one decoder at the same time.
    const turn = before.then(() => read(inspector, layer));
    before = turn.catch(() => undefined);
    return turn;
  };
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
