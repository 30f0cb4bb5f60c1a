/** Bytes of a row id: 2^40 nodes exceed any disk. */
const ROW_ID_BYTES = 5;

/** Encodes row ids of nodes as bytes. */
export function packNodeIds(ids: readonly number[]): Uint8Array {
  const packed = new Uint8Array(ids.length * ROW_ID_BYTES);
  let end = 0;
  for (const id of ids) {
    end += ROW_ID_BYTES;
    for (let at = end - 1, rest = id; rest > 0; at--, rest = Math.floor(rest / 256)) packed[at] = rest % 256;
  }
  return packed;
}

/** Inverse of {@link packNodeIds}. */
export function unpackNodeIds(packed: Uint8Array): number[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const ids: number[] = [];
  for (let at = 0; at < bytes.length; at += ROW_ID_BYTES) ids.push(bytes.readUIntBE(at, ROW_ID_BYTES));
  return ids;
}
