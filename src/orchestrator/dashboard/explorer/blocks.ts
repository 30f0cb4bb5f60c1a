import { isJsonObject } from '../../../rpc/json-object.ts';
import { ask, type Layer } from '../../inspect/layer.ts';
import { clientFor } from '../../probe/call.ts';

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
  const numbers = Array.from({ length: Math.max(0, Math.min(PAGE_BLOCKS, first + 1)) }, (_, index) => first - index);
  const answers = await clientFor(layer.url).batch(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] })),
    { timeoutMs: 10_000 },
  );
  return answers.flatMap((answer) => {
    if (!answer.ok || !isJsonObject(answer.result)) return [];
    const { number, hash, timestamp, transactions, gasUsed, gasLimit, baseFeePerGas } = answer.result;
    return [
      {
        ...{ number: Number(number), hash: String(hash), time: Number(timestamp), gasUsed: Number(gasUsed) },
        gasLimit: Number(gasLimit),
        baseFee: typeof baseFeePerGas === 'string' ? String(BigInt(baseFeePerGas)) : null,
        transactions: Array.isArray(transactions) ? transactions.length : 0,
      },
    ];
  });
}
