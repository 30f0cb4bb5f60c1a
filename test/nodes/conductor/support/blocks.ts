import { encodeDeposit } from '../../../../src/protocol/codec/deposit.ts';
import { l1AttributesDeposit } from '../../../../src/protocol/codec/l1-attributes-deposit.ts';
import { envelopeToJson } from '../../../../src/protocol/codec/payload-json.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { packedL1AttributesWithDaFootprint } from '../../../../src/protocol/rules/l1-attributes/packed.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { blockOf, rollupAt } from '../../gossip/blocks.ts';

/** Time of block 0 of the test chains, and the time between two blocks, in seconds. */
export const GENESIS_TIME = 1_700_000_000;
const BLOCK_TIME = 2;

/** Makes a hash of one repeated digit. */
export const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}`;

/** A block of a test chain: `origin` is the digit of the hash of L1's block 5. */
export interface TestBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly origin?: string;
  /** Hashes, as its execution client tells them. */
  readonly transactions?: readonly Hex[];
}

/** Makes the envelope of a block as a leader sends it. */
export function envelopeOf(
  { number, hash, parentHash, origin = 'a' }: TestBlock,
  transactions: readonly Hex[] = [],
): unknown {
  const { executionPayload, ...envelope } = blockOf(rollupAt(GENESIS_TIME), timeOf({ number }));
  const info = {
    ...{ number: 5, timestamp: GENESIS_TIME, baseFee: 1n, hash: hashOf(origin), sequenceNumber: 0 },
    ...{ batcherAddr: `0x${'11'.repeat(20)}` as const, l1FeeOverhead: hashOf('0'), l1FeeScalar: hashOf('0') },
    ...{ baseFeeScalar: 0, blobBaseFeeScalar: 0, blobBaseFee: 1n, operatorFeeScalar: 0, operatorFeeConstant: 0n },
    daFootprintGasScalar: 400,
  };
  const deposit = bytesToHex(encodeDeposit(l1AttributesDeposit(info, packedL1AttributesWithDaFootprint)));
  const fields = { blockNumber: number, blockHash: hash, parentHash, transactions: [deposit, ...transactions] };
  return envelopeToJson({ ...envelope, executionPayload: { ...executionPayload, ...fields } });
}

/** Block 0 of every test chain. */
export const GENESIS: TestBlock = { number: 0, hash: hashOf('0'), parentHash: hashOf('f') };

/** Makes the block after another one. */
export const after = (parent: TestBlock, digit: string, origin = 'a'): TestBlock => ({
  number: parent.number + 1,
  hash: hashOf(digit),
  parentHash: parent.hash,
  origin,
});

/** Time of a block in seconds. */
export const timeOf = ({ number }: Pick<TestBlock, 'number'>): number => GENESIS_TIME + BLOCK_TIME * number;
