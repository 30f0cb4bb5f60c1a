import { concat } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { bytesToHex, hexToBytes, hexToSized } from '../hex.ts';
import type { Hex } from '../types.ts';
import { asBytes, asList, asNumber, rlpDecode, rlpEncode, rlpUint } from './rlp.ts';

/** First byte of an encoded singular batch. */
export const SINGULAR_BATCH_TYPE = 0;

/**
 * One L2 block's input (op-node: `SingularBatch`, kona: `SingleBatch`; specification: derivation, Batch Format, version
 * 0).
 */
export interface SingularBatch {
  readonly parentHash: Hex;
  readonly epochNum: number;
  readonly epochHash: Hex;
  readonly timestamp: number;
  /** Encoded transactions, without the deposits. */
  readonly transactions: readonly Hex[];
}

/** Encodes 0x00 ‖ rlp[parent_hash, epoch_number, epoch_hash, timestamp, transaction_list]. */
export function encodeSingularBatch(batch: SingularBatch): Uint8Array {
  const content = rlpEncode([
    hexToSized(batch.parentHash, 32),
    rlpUint(batch.epochNum),
    hexToSized(batch.epochHash, 32),
    rlpUint(batch.timestamp),
    batch.transactions.map(hexToBytes),
  ]);
  return concat(Uint8Array.of(SINGULAR_BATCH_TYPE), content);
}

/** Decodes the batch behind the type byte. @throws ProtocolError batch-malformed or rlp-malformed */
export function decodeSingularBatch(content: Uint8Array): SingularBatch {
  const fields = asList(rlpDecode(content), 'batch', 5);
  return {
    parentHash: hash(asBytes(fields[0], 'parent_hash'), 'parent_hash'),
    epochNum: asNumber(fields[1], 'epoch_number'),
    epochHash: hash(asBytes(fields[2], 'epoch_hash'), 'epoch_hash'),
    timestamp: asNumber(fields[3], 'timestamp'),
    transactions: asList(fields[4], 'transaction_list').map((item) => bytesToHex(asBytes(item, 'transaction'))),
  };
}

function hash(bytes: Uint8Array, field: string): Hex {
  if (bytes.length === 32) return bytesToHex(bytes);
  throw new ProtocolError(
    'batch-malformed',
    'drop',
    `singular batch, ${field}: expected 32 bytes, found ${bytes.length}`,
    { field },
  );
}
