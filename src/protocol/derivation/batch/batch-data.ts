import { decodeSingularBatch, SINGULAR_BATCH_TYPE, type SingularBatch } from '../../codec/singular-batch.ts';
import { decodeRawSpanBatch, type RawSpanBatch, SPAN_BATCH_TYPE } from '../../codec/span/batch.ts';
import { ProtocolError } from '../../errors.ts';

/** A batch by its version byte (op-node: `BatchData`, kona: `Batch`). */
export type Batch =
  | { readonly kind: 'singular'; readonly batch: SingularBatch }
  | { readonly kind: 'span'; readonly batch: RawSpanBatch };

/**
 * Decodes the content of one RLP string of a channel (op-node: `BatchData.UnmarshalBinary`, kona: `Batch::decode`).
 * @throws ProtocolError batch-malformed or rlp-malformed: drop the batch
 */
export function decodeBatch(encoded: Uint8Array): Batch {
  const content = encoded.subarray(1);
  if (encoded[0] === SINGULAR_BATCH_TYPE) return { kind: 'singular', batch: decodeSingularBatch(content) };
  if (encoded[0] === SPAN_BATCH_TYPE) return { kind: 'span', batch: decodeRawSpanBatch(content) };
  throw new ProtocolError('batch-malformed', 'drop', `unknown batch version ${encoded[0] ?? '(no byte)'}`, {
    field: 'version',
  });
}
