import { rlpSpan } from '../../../protocol/codec/rlp.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/** Field positions in a stored receipt, as `encodeStored` writes them. */
const TRANSACTION_HASH = 1;
const LOGS = 9;

/** A log in stored receipts, with the index of its transaction. Fields are decoded on access. */
export class StoredLog {
  readonly position: number;
  readonly #bytes: Uint8Array;
  readonly #receipt: number;
  readonly #address: { readonly start: number; readonly end: number };

  /** `receipt` and `start` are the offsets of the first field of the receipt and of the log. */
  constructor(bytes: Uint8Array, position: number, receipt: number, start: number) {
    this.position = position;
    this.#bytes = bytes;
    this.#receipt = receipt;
    this.#address = rlpSpan(bytes, start);
  }

  get transactionHash(): Uint8Array {
    return bytesOf(this.#bytes, rlpSpan(this.#bytes, after(this.#bytes, this.#receipt, TRANSACTION_HASH)));
  }

  /** The fields as bytes, which share memory with the receipts. */
  get encoded(): { readonly address: Uint8Array; readonly topics: readonly Uint8Array[]; readonly data: Uint8Array } {
    const bytes = this.#bytes;
    const topics: Uint8Array[] = [];
    for (const topic of itemsOf(bytes, this.#address.end)) topics.push(bytesOf(bytes, topic));
    const data = rlpSpan(bytes, after(bytes, this.#address.end, 1));
    return { address: bytesOf(bytes, this.#address), topics, data: bytesOf(bytes, data) };
  }

  get address(): Hex {
    return hexOf(this.#bytes, this.#address);
  }

  get topics(): Hex[] {
    const topics: Hex[] = [];
    for (const topic of itemsOf(this.#bytes, this.#address.end)) topics.push(hexOf(this.#bytes, topic));
    return topics;
  }
}

/** Yields the logs of a block's stored receipts in order (geth: `ReadLogs`). @throws ProtocolError rlp-malformed */
export function* storedLogs(bytes: Uint8Array): Generator<StoredLog> {
  let position = 0;
  for (const { start } of itemsOf(bytes, after(bytes, rlpSpan(bytes, 0).start, 1))) {
    for (const log of itemsOf(bytes, after(bytes, start, LOGS))) yield new StoredLog(bytes, position, start, log.start);
    position++;
  }
}

/** Yields the spans of the items of the RLP list at an offset. */
function* itemsOf(bytes: Uint8Array, at: number): Generator<{ readonly start: number; readonly end: number }> {
  const { start, end } = rlpSpan(bytes, at);
  for (let next = start; next < end; ) {
    const item = rlpSpan(bytes, next);
    yield item;
    next = item.end;
  }
}

/** Returns the offset after `count` items. */
function after(bytes: Uint8Array, at: number, count: number): number {
  let next = at;
  for (let left = count; left > 0; left--) next = rlpSpan(bytes, next).end;
  return next;
}

function hexOf(bytes: Uint8Array, span: { readonly start: number; readonly end: number }): Hex {
  return bytesToHex(bytesOf(bytes, span));
}

function bytesOf(bytes: Uint8Array, { start, end }: { readonly start: number; readonly end: number }): Uint8Array {
  return bytes.subarray(start, end);
}
