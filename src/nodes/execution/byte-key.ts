/** Bytes as a map's key, one character per byte: made and compared in a third of the time that hex takes. */
export type ByteKey = string;

/** The part of Node's Buffer that makes keys, without a Buffer for each. */
const { latin1Slice } = Buffer.prototype as unknown as {
  latin1Slice(this: Uint8Array, from: number, to: number): string;
};

export function byteKey(bytes: Uint8Array): ByteKey {
  return latin1Slice.call(bytes, 0, bytes.length);
}

/** Inverse of {@link byteKey}. */
export function keyBytes(key: ByteKey): Uint8Array {
  return Buffer.from(key, 'latin1');
}
