import { encodeBlob, MAX_BLOB_DATA_SIZE } from '../../../protocol/codec/blob.ts';
import { encodeBatcherTransaction, type Frame } from '../../../protocol/codec/frame.ts';
import type { Hex } from '../../../protocol/types.ts';
import { makeSidecar } from '../../txmgr/blob-sidecar.ts';
import type { TxCandidate } from '../../txmgr/pending-transaction.ts';
import type { DaType } from './da-type.ts';

/** Maximum blobs of one transaction (EIP-4844). */
export const MAX_BLOBS = 6;

/** Returns the bytes of one frame, overhead included: the space after the version byte. */
export function maxFrameSize(carrier: DaType, maxTxSize: number): number {
  return (carrier === 'blobs' ? MAX_BLOB_DATA_SIZE : maxTxSize) - 1;
}

/** Groups frames by L1 transaction: one in calldata, one per blob (op-batcher: `NextTxData`). */
export function groupFrames(frames: readonly Frame[], carrier: DaType): readonly (readonly Frame[])[] {
  const size = carrier === 'blobs' ? MAX_BLOBS : 1;
  return Array.from({ length: Math.ceil(frames.length / size) }, (_, at) => frames.slice(at * size, (at + 1) * size));
}

/**
 * Builds the L1 transaction of these frames to the batch inbox (op-batcher: `calldataTxCandidate`, `blobTxCandidate`).
 * `store` puts calldata elsewhere and returns the commitment to post.
 */
export async function txCandidate(
  frames: readonly Frame[],
  carrier: DaType,
  inbox: Hex,
  what: string,
  store: (data: Uint8Array) => Promise<Uint8Array> = async (data) => data,
): Promise<TxCandidate> {
  if (carrier === 'calldata')
    return { to: inbox, data: await store(encodeBatcherTransaction(frames)), what, bound: '--max-l1-tx-size-bytes' };
  const blobs = frames.map((frame) => encodeBlob(encodeBatcherTransaction([frame])));
  return { to: inbox, data: new Uint8Array(0), sidecar: await makeSidecar(blobs), what };
}
