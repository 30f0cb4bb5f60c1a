/** Bytes of a row id: 2^40 nodes exceed any disk. */
const SIZE = 5;

/** Encodes row ids of nodes as bytes. */
export function packNodeIds(ids: readonly number[]): Uint8Array {
  const packed = Buffer.allocUnsafe(ids.length * SIZE);
  for (const [at, id] of ids.entries()) packed.writeUIntBE(id, at * SIZE, SIZE);
  return packed;
}

/** Inverse of {@link packNodeIds}. */
export function unpackNodeIds(packed: Uint8Array): number[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const ids: number[] = [];
  for (let at = 0; at < bytes.length; at += SIZE) ids.push(bytes.readUIntBE(at, SIZE));
  return ids;
}
