import { encodeBlob, MAX_BLOB_DATA_SIZE } from '../../protocol/codec/blob.ts';
import { encodeBatcherTransaction, type Frame } from '../../protocol/codec/frame.ts';
import type { Hex } from '../../protocol/types.ts';
import { makeSidecar } from '../shared/txmgr/blob-sidecar.ts';
import type { TxCandidate } from '../shared/txmgr/pending-transaction.ts';
import type { DaType } from './da-type.ts';

/** Blobs of one transaction: what L1 accepts of a single one since EIP-4844. */
export const MAX_BLOBS = 6;

/** Bytes of one frame, its overhead counted: what is left of the carrier after the version byte. */
export function maxFrameSize(carrier: DaType, maxTxSize: number): number {
  return (carrier === 'blobs' ? MAX_BLOB_DATA_SIZE : maxTxSize) - 1;
}

/** The frames of each L1 transaction: one in calldata, one per blob. */
export function groupFrames(frames: readonly Frame[], carrier: DaType): readonly (readonly Frame[])[] {
  const size = carrier === 'blobs' ? MAX_BLOBS : 1;
  return Array.from({ length: Math.ceil(frames.length / size) }, (_, at) => frames.slice(at * size, (at + 1) * size));
}

/** The L1 transaction that carries these frames to the batch inbox; `store` puts calldata elsewhere and gives what is posted instead. */
export async function txCandidate(
  frames: readonly Frame[],
  carrier: DaType,
  inbox: Hex,
  what: string,
  store: (data: Uint8Array) => Promise<Uint8Array> = async (data) => data,
): Promise<TxCandidate> {
  if (carrier === 'calldata') return { to: inbox, data: await store(encodeBatcherTransaction(frames)), what };
  const blobs = frames.map((frame) => encodeBlob(encodeBatcherTransaction([frame])));
  return { to: inbox, data: new Uint8Array(0), sidecar: await makeSidecar(blobs), what };
}
