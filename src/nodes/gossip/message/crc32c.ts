const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** Computes the CRC-32C (Castagnoli), unsigned. */
export function crc32c(data: Uint8Array): number {
  let crc = 0xffffffff;
  // An index loop takes a fifth of the time of `for … of` here (V8 13).
  for (let at = 0; at < data.length; at++) crc = (TABLE[(crc ^ (data[at] ?? 0)) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
