import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { decodeTransaction, noteRecovered } from './transaction.ts';

/** Bytes of a hash, and of a hash with the sender behind it. */
const HASH_BYTES = 32;
const RECORD_BYTES = HASH_BYTES + 20;

/** Returns hash and sender of each transaction, one after another. Those of an invalid transaction are zero. */
export function recoverAll(transactions: readonly Uint8Array[]): Uint8Array {
  const records = new Uint8Array(transactions.length * RECORD_BYTES);
  for (const [at, raw] of transactions.entries()) {
    try {
      const { hash, sender } = decodeTransaction(raw);
      records.set(hexToBytes(hash), at * RECORD_BYTES);
      records.set(sender, at * RECORD_BYTES + HASH_BYTES);
    } catch {
      // The block that contains it is refused by its execution, which names the error.
    }
  }
  return records;
}

/** Notes the result of {@link recoverAll}, so that decoding the same bytes recovers nothing. */
export function noteAll(transactions: readonly Uint8Array[], records: Uint8Array): void {
  for (const [at, raw] of transactions.entries()) {
    const record = records.subarray(at * RECORD_BYTES, (at + 1) * RECORD_BYTES);
    if (record.every((byte) => byte === 0)) continue;
    noteRecovered(raw, {
      hash: bytesToHex(record.subarray(0, HASH_BYTES)),
      sender: record.subarray(HASH_BYTES),
    });
  }
}
