/** Bytes of a place: 2^40 nodes are more than a disk holds. */
const SIZE = 5;

/** Places of nodes in a store as bytes. */
export function packPlaces(places: readonly number[]): Uint8Array {
  const packed = Buffer.allocUnsafe(places.length * SIZE);
  for (let at = 0; at < places.length; at++) packed.writeUIntBE(places[at]!, at * SIZE, SIZE);
  return packed;
}

/** Inverse of {@link packPlaces}. */
export function unpackPlaces(packed: Uint8Array): number[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const places: number[] = [];
  for (let at = 0; at < bytes.length; at += SIZE) places.push(bytes.readUIntBE(at, SIZE));
  return places;
}
