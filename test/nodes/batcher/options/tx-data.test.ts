import { describe, expect, it } from 'vitest';
import { groupFrames, MAX_BLOBS, maxFrameSize, txCandidate } from '../../../../src/nodes/batcher/options/tx-data.ts';
import { signTransaction } from '../../../../src/nodes/txmgr/transaction.ts';
import { decodeBlob, MAX_BLOB_DATA_SIZE } from '../../../../src/protocol/codec/blob.ts';
import { splitBlobTransaction } from '../../../../src/protocol/codec/blobs/sidecar.ts';
import { decodeBatcherTransaction, type Frame } from '../../../../src/protocol/codec/frame.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../../beacon/anvil.ts';

const INBOX: Hex = `0x${'ff'.repeat(20)}`;
const frame = (number: number, isLast = false): Frame => ({
  channelId: `0x${'0a'.repeat(16)}`,
  number,
  data: Uint8Array.of(number, 2, 3),
  isLast,
});
const GWEI = 1_000_000_000n;

describe('postings', () => {
  it('carry one frame in calldata, one in each of at most six blobs', () => {
    const frames = Array.from({ length: MAX_BLOBS + 1 }, (_, number) => frame(number));
    expect(groupFrames(frames, 'calldata').map(({ length }) => length)).toEqual(Array(MAX_BLOBS + 1).fill(1));
    expect(groupFrames(frames, 'blobs').map(({ length }) => length)).toEqual([MAX_BLOBS, 1]);
    expect(maxFrameSize('blobs', 500)).toBe(MAX_BLOB_DATA_SIZE - 1);
    expect(maxFrameSize('calldata', 500)).toBe(499);
  });

  it('carry several blobs in one transaction', async () => {
    const frames = [frame(0), frame(1, true)];
    const { to, data, sidecar } = await txCandidate(frames, 'blobs', INBOX, 'two blobs');
    const fees = { maxPriorityFeePerGas: 1n, maxFeePerGas: GWEI, maxFeePerBlobGas: GWEI };
    const { raw } = signTransaction(ACCOUNTS[0]!, { chainId: 900, nonce: 0, gas: 21_000, to, data, fees, sidecar });
    const { blobs, commitments } = splitBlobTransaction(hexToBytes(raw))!.sidecar;
    expect(blobs.flatMap((blob) => decodeBatcherTransaction(decodeBlob(blob)))).toEqual(frames);
    expect(commitments).toEqual(sidecar!.commitments);
  });
});
