import { byteAt, setBits } from '../../bytes.ts';
import { ProtocolError } from '../../errors.ts';
import { rlpSpan } from '../rlp.ts';

/** Most blocks, and most transactions, of a span batch (op-node: `MaxSpanBatchElementCount`; specification: delta). */
export const MAX_SPAN_BATCH_ELEMENT_COUNT = 10_000_000;

/** Reads the fields of a span batch front to back. Every method throws ProtocolError batch-malformed past the end. */
export class SpanReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Returns the next `size` bytes. */
  take(size: number, field: string): Uint8Array {
    if (size > this.left) throw spanError(field, `expected ${size} bytes, found ${this.left}`);
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  /** Base-128 little-endian integer of up to 64 bits. */
  uvarint(field: string): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw spanError(field, 'expected a byte, found the end');
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value >= 1n << 64n) throw spanError(field, 'varint exceeds 64 bits');
        return value;
      }
      if (shift === 63n) throw spanError(field, 'varint exceeds 64 bits');
    }
  }

  /** A uvarint that counts elements. */
  count(field: string): number {
    const value = this.uvarint(field);
    if (value > MAX_SPAN_BATCH_ELEMENT_COUNT)
      throw spanError(field, `${value} exceeds ${MAX_SPAN_BATCH_ELEMENT_COUNT}`);
    return Number(value);
  }

  /**
   * A bit list: big-endian integer in as few bytes as `length` bits need, bit 0 first.
   * Counterparts: `decodeSpanBatchBits` (op-node), `SpanBatchBits::decode` (kona).
   */
  bits(length: number, field: string): boolean[] {
    const bytes = this.take(Math.ceil(length / 8), field);
    const spare = length % 8;
    if (spare > 0 && byteAt(bytes, 0) >> spare !== 0) throw spanError(field, `a bit is set beyond bit ${length - 1}`);
    return Array.from({ length }, (_, bit) => ((byteAt(bytes, bytes.length - 1 - (bit >> 3)) >> (bit & 7)) & 1) === 1);
  }

  /** Transaction data: a type byte, unless legacy, and an RLP list (op-node: `ReadTxData`, kona: `read_tx_data`). */
  transactionData(field: string): Uint8Array {
    const first = this.#bytes[this.#at];
    if (first === undefined) throw spanError(field, 'expected transaction data, found the end');
    const listAt = first < 0x80 ? this.#at + 1 : this.#at;
    const { list, end } = rlpSpan(this.#bytes, listAt);
    if (!list) throw spanError(field, 'expected an RLP list');
    return this.take(end - this.#at, field);
  }
}

/** Encodes a bit list, the inverse of {@link SpanReader.bits} (op-node: `encodeSpanBatchBits`). */
export function encodeBits(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [bit, set] of bits.entries()) if (set) setBits(bytes, bytes.length - 1 - (bit >> 3), 1 << (bit & 7));
  return bytes;
}

/** Base-128 little-endian integer. */
export function encodeUvarint(value: bigint | number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** Creates the error for a span batch that cannot be read. The batch is dropped. */
export function spanError(field: string, problem: string): ProtocolError {
  return new ProtocolError('batch-malformed', 'drop', `span batch, ${field}: ${problem}`, { field });
}
