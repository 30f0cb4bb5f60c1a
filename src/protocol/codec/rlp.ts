import { bigIntBytes, byteAt, concatAll, toBigInt, toNumber } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';

/** An RLP item: a byte string or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** An item that is encoded already, as a part of one to encode. */
export class RlpEncoded {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** An item to encode, parts of which may be encoded already. */
export type RlpInput = Uint8Array | RlpEncoded | readonly RlpInput[];

const EMPTY = new Uint8Array(0);
/** No structure of the protocol nests deeper; hostile input must not exhaust the stack. */
const MAX_DEPTH = 64;

/** Encodes an item as RLP (geth: `rlp.EncodeToBytes`). */
export function rlpEncode(item: RlpInput): Uint8Array {
  const lengths: number[] = [];
  const bytes = new Uint8Array(encodedLength(item, lengths));
  new Writer(bytes, lengths).item(item);
  return bytes;
}

/** Encodes the RLP list of items that are encoded already. */
export function rlpListOfEncoded(encoded: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of encoded) length += part.length;
  return concatAll([prefix(length, 0xc0), ...encoded]);
}

/** Returns the byte string of an integer: big-endian, no leading zeros, zero is empty. */
export function rlpUint(value: bigint | number): Uint8Array {
  if (value === 0 || value === 0n) return EMPTY;
  return value <= Number.MAX_SAFE_INTEGER ? smallUint(Number(value)) : bigIntBytes(BigInt(value));
}

/** Returns the byte string of an integer up to 2^53, without the detour of a text. */
function smallUint(value: number): Uint8Array {
  let size = 0;
  for (let rest = value; rest >= 1; rest /= 256) size += 1;
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let at = size - 1; at >= 0; at--) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

/**
 * Decodes the one item that the bytes hold (geth: `rlp.DecodeBytes`).
 * @throws ProtocolError rlp-malformed, also on bytes after it
 */
export function rlpDecode(bytes: Uint8Array): RlpItem {
  const { item, end } = rlpDecodeAt(bytes, 0);
  if (end !== bytes.length) throw rlpError(end, `${bytes.length - end} bytes after the item`);
  return item;
}

/**
 * Decodes the item at `offset` and returns where it ends. Byte strings share memory with the input.
 * @throws ProtocolError rlp-malformed
 */
function rlpDecodeAt(bytes: Uint8Array, offset: number): { readonly item: RlpItem; readonly end: number } {
  const { list, start, end } = header(bytes, offset, bytes.length);
  return { item: list ? items(bytes, start, end, 1) : bytes.subarray(start, end), end };
}

/**
 * Returns the end of the item at `offset` and whether it is a list, without decoding it (geth: `rlp.Split`).
 * @throws ProtocolError rlp-malformed
 */
export function rlpSpan(
  bytes: Uint8Array,
  offset: number,
): { readonly list: boolean; readonly start: number; readonly end: number } {
  return header(bytes, offset, bytes.length);
}

/** Returns the item as a byte string. @throws ProtocolError rlp-malformed */
export function asBytes(item: RlpItem | undefined, what: string): Uint8Array {
  if (!(item instanceof Uint8Array)) throw rlpError(0, `${what} must be a byte string`);
  return item;
}

/** Returns the item as a list, of `length` items if given. @throws ProtocolError rlp-malformed */
export function asList(item: RlpItem | undefined, what: string, length?: number): readonly RlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw rlpError(0, `${what} must be a list`);
  if (length !== undefined && item.length !== length)
    throw rlpError(0, `${what} must have ${length} items, has ${item.length}`);
  return item;
}

/** @throws ProtocolError rlp-malformed unless {@link asBigInt} returns the item */
export function checkInteger(item: RlpItem | undefined, what: string): void {
  integerBytes(item, what, 32);
}

/** The item as an unsigned integer without leading zeros, of at most `maxBytes`. @throws ProtocolError rlp-malformed */
export function asBigInt(item: RlpItem | undefined, what: string, maxBytes = 32): bigint {
  return toBigInt(integerBytes(item, what, maxBytes));
}

/** Like {@link asBigInt}, for integers that fit 2^53. @throws ProtocolError rlp-malformed or out-of-range */
export function asNumber(item: RlpItem | undefined, what: string): number {
  return toNumber(integerBytes(item, what, 8));
}

function integerBytes(item: RlpItem | undefined, what: string, maxBytes: number): Uint8Array {
  const bytes = asBytes(item, what);
  if (bytes.length > maxBytes)
    throw rlpError(0, `${what} must be an integer of at most ${maxBytes} bytes, has ${bytes.length}`);
  if (bytes[0] === 0) throw rlpError(0, `${what} must be an integer without leading zeros`);
  return bytes;
}

/** Returns the length of an encoded item. Adds the length of the content of each list, in the order of their heads. */
function encodedLength(item: RlpInput, lengths: number[]): number {
  if (item instanceof Uint8Array)
    return item.length === 1 && byteAt(item, 0) < 0x80 ? 1 : headLength(item.length) + item.length;
  if (item instanceof RlpEncoded) return item.bytes.length;
  const slot = lengths.push(0) - 1;
  let length = 0;
  for (const child of item) length += encodedLength(child, lengths);
  lengths[slot] = length;
  return headLength(length) + length;
}

const headLength = (length: number): number =>
  length < 56 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : prefix(length, 0x80).length;

/** Bytes up to which a loop copies faster than the runtime's call. */
const SHORT_COPY = 40;

/** Writes items into bytes of their length. `lengths` are those of {@link encodedLength}. */
class Writer {
  readonly #bytes: Uint8Array;
  readonly #lengths: readonly number[];
  #at = 0;
  #list = 0;

  constructor(bytes: Uint8Array, lengths: readonly number[]) {
    this.#bytes = bytes;
    this.#lengths = lengths;
  }

  item(item: RlpInput): void {
    if (item instanceof RlpEncoded) {
      this.#copy(item.bytes);
      return;
    }
    if (!(item instanceof Uint8Array)) {
      this.#copy(prefix(this.#lengths[this.#list++] ?? 0, 0xc0));
      for (const child of item) this.item(child);
      return;
    }
    if (item.length !== 1 || byteAt(item, 0) >= 0x80) this.#copy(prefix(item.length, 0x80));
    this.#copy(item);
  }

  #copy(part: Uint8Array): void {
    const { length } = part;
    if (length > SHORT_COPY) this.#bytes.set(part, this.#at);
    else for (let at = 0; at < length; at++) this.#bytes[this.#at + at] = byteAt(part, at);
    this.#at += length;
  }
}

/** Encodes the RLP head of a list, or of a string that is not its own encoding. */
export function rlpHead(length: number, of: 'list' | 'string'): Uint8Array {
  return prefix(length, of === 'list' ? 0xc0 : 0x80);
}

/** Every byte as an array of its own: the heads of short items. */
const SINGLE_BYTES = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));

/** Returns the head of a string (base 0x80) or list (0xc0), which the caller does not change. */
function prefix(length: number, base: number): Uint8Array {
  if (length < 56) return SINGLE_BYTES[base + length] ?? EMPTY;
  if (length < 0x100) return Uint8Array.of(base + 56, length);
  if (length < 0x10000) return Uint8Array.of(base + 57, length >> 8, length & 0xff);
  const size = rlpUint(length);
  const head = new Uint8Array(1 + size.length);
  head[0] = base + 55 + size.length;
  head.set(size, 1);
  return head;
}

function items(bytes: Uint8Array, start: number, end: number, depth: number): RlpItem[] {
  if (depth > MAX_DEPTH) throw rlpError(start, `lists nest deeper than ${MAX_DEPTH}`);
  const list: RlpItem[] = [];
  for (let at = start; at < end; ) {
    const child = header(bytes, at, end);
    list.push(child.list ? items(bytes, child.start, child.end, depth + 1) : bytes.subarray(child.start, child.end));
    at = child.end;
  }
  return list;
}

function header(bytes: Uint8Array, offset: number, limit: number): { list: boolean; start: number; end: number } {
  const first = bytes[offset];
  if (offset >= limit || first === undefined) throw rlpError(offset, 'expected an item, found the end');
  if (first < 0x80) return { list: false, start: offset, end: offset + 1 };
  const list = first >= 0xc0;
  const base = list ? 0xc0 : 0x80;
  let start = offset + 1;
  let length = first - base;
  if (length > 55) {
    const size = length - 55;
    if (start + size > limit) throw rlpError(offset, 'length of the item is cut off');
    if (bytes[start] === 0) throw rlpError(offset, 'length of the item has a leading zero');
    length = 0;
    for (let at = start; at < start + size; at++) length = length * 256 + byteAt(bytes, at);
    if (length < 56) throw rlpError(offset, 'length of the item is not in its shortest form');
    start += size;
  }
  const end = start + length;
  if (end > limit) throw rlpError(offset, `item of ${length} bytes reaches past the end by ${end - limit}`);
  if (!list && length === 1 && byteAt(bytes, start) < 0x80)
    throw rlpError(offset, 'a byte below 0x80 must stand for itself');
  return { list, start, end };
}

function rlpError(offset: number, problem: string): ProtocolError {
  return new ProtocolError('rlp-malformed', 'drop', `RLP at byte ${offset}: ${problem}`, { offset });
}
