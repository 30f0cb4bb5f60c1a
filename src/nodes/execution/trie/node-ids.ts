/** Bytes of a row id: 2^40 nodes exceed any disk. */
const ROW_ID_BYTES = 5;

/** Encodes row ids of nodes as bytes. */
export function packNodeIds(ids: readonly number[]): Uint8Array {
  const packed = Buffer.allocUnsafe(ids.length * ROW_ID_BYTES);
  for (const [at, id] of ids.entries()) packed.writeUIntBE(id, at * ROW_ID_BYTES, ROW_ID_BYTES);
  return packed;
}

/** Inverse of {@link packNodeIds}. */
export function unpackNodeIds(packed: Uint8Array): number[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const ids: number[] = [];
  for (let at = 0; at < bytes.length; at += ROW_ID_BYTES) ids.push(bytes.readUIntBE(at, ROW_ID_BYTES));
  return ids;
}
