import type { JsonObject } from '../../../rpc/json-object.ts';
import { ask, blocksAt, type Layer, numbersOf } from '../../inspect/layer.ts';

/** Blocks of one answer. */
const PAGE_BLOCKS = 25;

/** A block as the page lists it. */
export interface BlockRow {
  readonly number: number;
  readonly hash: string;
  /** Unix seconds. */
  readonly time: number;
  readonly transactions: number;
  readonly gasUsed: number;
  readonly gasLimit: number;
  /** wei; null before EIP-1559. */
  readonly baseFee: string | null;
}

/** Lists blocks downwards from a number, or from the head. */
export async function blocksOf(layer: Layer, from: number | undefined): Promise<readonly BlockRow[]> {
  const head = Number(await ask<string>(layer, 'eth_blockNumber'));
  const first = Math.min(from ?? head, head);
  const numbers = numbersOf(Math.max(0, first - PAGE_BLOCKS + 1), first).toReversed();
  return (await blocksAt(layer, numbers, false)).map(rowOf);
}

function rowOf({ number, hash, timestamp, transactions, gasUsed, gasLimit, baseFeePerGas }: JsonObject): BlockRow {
  return {
    ...{ number: Number(number), hash: String(hash), time: Number(timestamp), gasUsed: Number(gasUsed) },
    gasLimit: Number(gasLimit),
    baseFee: typeof baseFeePerGas === 'string' ? String(BigInt(baseFeePerGas)) : null,
    transactions: Array.isArray(transactions) ? transactions.length : 0,
  };
}
