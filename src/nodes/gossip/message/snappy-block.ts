/**
 * Decompresses one snappy block (Go: `snappy.Decode`; format description of snappy, sections 1 and 2).
 * Returns undefined for a broken block, a length other than the claimed one, or a claim above `maxBytes`.
 * The library loops for ever on some broken blocks and accepts others, hence this implementation.
 */
export function decodeBlock(input: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const head = readLength(input);
  if (!head || head.length > maxBytes) return undefined;
  const output = new Uint8Array(head.length);
  let position = 0;
  for (let at = head.size; at < input.length; ) {
    const tag = input[at++] ?? 0;
    const kind = tag & 3;
    // A literal's tag holds the size of its length field, a copy's tag the size of its offset.
    const extra = kind === 0 ? Math.max(0, (tag >>> 2) - 59) : kind === 3 ? 4 : kind;
    if (at + extra > input.length) return undefined;
    let number = 0;
    for (let index = extra - 1; index >= 0; index--) number = number * 256 + (input[at + index] ?? 0);
    at += extra;
    if (kind === 0) {
      const length = (extra > 0 ? number : tag >>> 2) + 1;
      if (at + length > input.length || position + length > output.length) return undefined;
      output.set(input.subarray(at, at + length), position);
      at += length;
      position += length;
      continue;
    }
    const length = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const distance = kind === 1 ? ((tag >>> 5) << 8) + number : number;
    if (distance === 0 || distance > position || position + length > output.length) return undefined;
    if (distance >= length) output.copyWithin(position, position - distance, position - distance + length);
    else
      for (let index = 0; index < length; index++) output[position + index] = output[position + index - distance] ?? 0;
    position += length;
  }
  return position === output.length ? output : undefined;
}

/** Most bytes of a varint of 64 bits: 32 bits may have zeros on top. */
const MAX_VARINT_BYTES = 10;

/** Reads the claimed length, a varint below 2^32 (Go: `binary.Uvarint`), and the size of that varint. */
function readLength(input: Uint8Array): { readonly length: number; readonly size: number } | undefined {
  let length = 0;
  for (let size = 0; size < Math.min(MAX_VARINT_BYTES, input.length); size++) {
    const byte = input[size] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * size);
    if (byte < 0x80) return length < 2 ** 32 ? { length, size: size + 1 } : undefined;
  }
  return undefined;
}
