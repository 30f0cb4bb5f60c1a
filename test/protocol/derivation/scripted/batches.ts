import type { SingularBatch } from '../../../../src/protocol/codec/singular-batch.ts';
import { rawSpanBatchOf, type SpanBatch, spanBatchOf } from '../../../../src/protocol/codec/span/batch.ts';
import type { BatchReason } from '../../../../src/protocol/derivation/batch/batch-reason.ts';
import type { BatchContext, BatchValidity } from '../../../../src/protocol/derivation/batch/batch-validity.ts';
import type { Rollup } from '../../../../src/protocol/derivation/ports.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import type { Hex, L2BlockRef } from '../../../../src/protocol/types.ts';
import { l1Header } from './l1.ts';
import { GENESIS_TIME, hashOf, type TestRollupOptions, testRollup } from './rollup.ts';
import { userTransaction } from './transactions.ts';

/** L1 blocks every 6 s from genesis (100) on. */
export const L1 = Array.from({ length: 60 }, (_, index) => l1Header(100 + index, GENESIS_TIME + 6 * index));
export const [A, B, C, D] = L1 as [(typeof L1)[0], (typeof L1)[0], (typeof L1)[0], (typeof L1)[0]];
export const DEPOSIT: Hex = '0x7eaabb';
export const SET_CODE: Hex = '0x04aabb';

/** The safe head: third block of epoch B, at the time of C less 2. */
export const SAFE: L2BlockRef = {
  hash: hashOf('safe'),
  number: 5,
  parentHash: hashOf('before safe'),
  timestamp: C.timestamp - 2,
  l1origin: { hash: B.hash, number: B.number },
  sequenceNumber: 2,
};
export const NEXT = SAFE.timestamp + 2;

export interface Case {
  readonly name: string;
  readonly fork?: ForkName;
  readonly at?: TestRollupOptions['at'];
  readonly l1Blocks?: BatchContext['l1Blocks'];
  readonly safeHead?: L2BlockRef;
  readonly inclusion?: BatchContext['inclusion'];
  readonly expected: BatchValidity;
  /** Absent if the batch is accepted. */
  readonly reason?: BatchReason['kind'];
}

export const singular = (changes: Partial<SingularBatch> = {}): SingularBatch => ({
  parentHash: SAFE.hash,
  epochNum: B.number,
  epochHash: B.hash,
  timestamp: NEXT,
  transactions: [userTransaction(1)],
  ...changes,
});
export const contextOf = ({ l1Blocks = [B, C, D], safeHead = SAFE, inclusion = D }: Case): BatchContext => ({
  l1Blocks,
  safeHead,
  inclusion,
});
/** The verdict that a case expects. */
export const verdictOf = ({ expected, reason }: Case) => ({
  validity: expected,
  ...(reason && { reason: { kind: reason } }),
});
export const rollupOf = ({ fork = 'granite', at }: Case): Rollup => testRollup(fork, at && { at });

/** Safe heads whose child is past the sequencer drift (20 s, from fjord on 1800 s) of their origin. */
export const atDrift = (drift: number, more: number): L2BlockRef => ({
  ...SAFE,
  timestamp: B.timestamp + drift + more - 2,
});
export const LATE = l1Header(102, B.timestamp + 4000);
export const L1_SOON_AFTER = l1Header(102, B.timestamp + 22);

export const CHAIN = { genesisTime: GENESIS_TIME, blockTime: 2, chainId: 901 };
export const span = (blocks: readonly Partial<SingularBatch>[], originChanged = false): SpanBatch =>
  spanBatchOf(
    rawSpanBatchOf(
      blocks.map((block, index) => singular({ timestamp: NEXT + 2 * index, ...block })),
      originChanged,
      CHAIN,
    ),
    CHAIN,
  );
export const inC = { epochNum: C.number, epochHash: C.hash };
export const inD = { epochNum: D.number, epochHash: D.hash };
export const noBlocks = { payloadByNumber: async () => null };
