import { keccak256Text } from '../../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

/** An L1 block as the model knows it. */
export interface ModelL1 {
  readonly hash: Hex;
  readonly number: number;
  readonly time: number;
  readonly deposits: number;
}

/** An L2 block as the model knows it: nothing but what makes it another block than the next. */
export interface ModelBlock {
  readonly hash: Hex;
  readonly number: number;
  readonly time: number;
  /** Number of its L1 origin. */
  readonly epoch: number;
  readonly sequence: number;
  readonly transactions: readonly Hex[];
}

/** Identity of an L2 block. The test's engine computes the hash from attributes, the model from its own block. */
export function modelHash(
  parent: Hex,
  time: number,
  epochHash: Hex,
  sequence: number,
  deposits: number,
  transactions: readonly Hex[],
): Hex {
  return bytesToHex(keccak256Text(JSON.stringify([parent, time, epochHash, sequence, deposits, transactions])));
}

/** The child of a block. */
export function childOf(
  parent: ModelBlock,
  origin: ModelL1,
  transactions: readonly Hex[],
  blockTime: number,
): ModelBlock {
  const time = parent.time + blockTime;
  const sequence = origin.number === parent.epoch ? parent.sequence + 1 : 0;
  const deposits = 1 + (sequence === 0 ? origin.deposits : 0);
  const hash = modelHash(parent.hash, time, origin.hash, sequence, deposits, transactions);
  return { hash, number: parent.number + 1, time, epoch: origin.number, sequence, transactions };
}
