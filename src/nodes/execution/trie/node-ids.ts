/** Bytes of a row id: 2^40 nodes exceed any disk. */
const SIZE = 5;

/** Encodes row ids of nodes as bytes. */
export function packNodeIds(ids: readonly number[]): Uint8Array {
  const packed = Buffer.allocUnsafe(ids.length * SIZE);
  for (let at = 0; at < ids.length; at++) packed.writeUIntBE(ids[at]!, at * SIZE, SIZE);
  return packed;
}

/** Inverse of {@link packNodeIds}. */
export function unpackNodeIds(packed: Uint8Array): number[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const ids: number[] = [];
  for (let at = 0; at < bytes.length; at += SIZE) ids.push(bytes.readUIntBE(at, SIZE));
  return ids;
}
