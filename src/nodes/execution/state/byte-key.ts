/** Bytes as the key of a map, one character per byte. Hex keys take three times as long. */
export type ByteKey = string;

/** A method of Node's Buffer that decodes bytes without creating a Buffer. */
const { latin1Slice } = Buffer.prototype as unknown as {
  latin1Slice(this: Uint8Array, from: number, to: number): string;
};

/** Converts bytes to the key of a map. */
export function byteKey(bytes: Uint8Array): ByteKey {
  return latin1Slice.call(bytes, 0, bytes.length);
}

/** Inverse of {@link byteKey}. */
export function keyBytes(key: ByteKey): Uint8Array {
  return Buffer.from(key, 'latin1');
}
