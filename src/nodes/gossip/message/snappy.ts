import { compress } from 'snappyjs';
import { concatAll } from '../../../protocol/bytes.ts';
import { crc32c } from './crc32c.ts';
import { decodeBlock } from './snappy-block.ts';

/** Compresses data to one snappy block (Go: `snappy.Encode`). */
export function compressBlock(data: Uint8Array): Uint8Array {
  return compress(plain(data));
}

/** Returns a plain Uint8Array over the same memory: the library treats Buffers differently. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const STREAM_START = Uint8Array.from([0xff, 6, 0, 0, ...Buffer.from('sNaPpY')]);
const CHUNK = { compressed: 0x00, plain: 0x01, start: 0xff } as const;
/** Most bytes of a chunk before compression (framing format, section 2). */
const CHUNK_DATA = 65536;

/**
 * Compresses to the snappy framing format (Go: `snappy.NewBufferedWriter`).
 * It has a stream identifier, then checksummed chunks of up to 64 kB.
 */
export function compressFrames(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [STREAM_START];
  for (let at = 0; at < data.length; at += CHUNK_DATA) {
    const chunk = data.subarray(at, at + CHUNK_DATA);
    const body = compressBlock(chunk);
    const head = Buffer.alloc(8);
    head.writeUInt8(CHUNK.compressed, 0);
    head.writeUIntLE(body.length + 4, 1, 3);
    head.writeUInt32LE(maskedChecksum(chunk), 4);
    parts.push(head, body);
  }
  return concatAll(parts);
}

/**
 * Decompresses a whole framed stream (Go: `snappy.NewReader`).
 * Returns undefined if it is broken or larger than `maxBytes`.
 */
export function decompressFrames(stream: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const view = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
  if (!view.subarray(0, STREAM_START.length).equals(STREAM_START)) return undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let at = STREAM_START.length; at < view.length; ) {
    if (at + 4 > view.length) return undefined;
    const type = view.readUInt8(at);
    const end = at + 4 + view.readUIntLE(at + 1, 3);
    if (end > view.length) return undefined;
    const isData = type === CHUNK.compressed || type === CHUNK.plain;
    if (isData) {
      if (end < at + 8) return undefined;
      const body = view.subarray(at + 8, end);
      const chunk = type === CHUNK.plain ? body : decodeBlock(body, CHUNK_DATA);
      if (!chunk || chunk.length > CHUNK_DATA || maskedChecksum(chunk) !== view.readUInt32LE(at + 4)) return undefined;
      size += chunk.length;
      if (size > maxBytes) return undefined;
      parts.push(chunk);
    } else if (type < 0x80) return undefined;
    else if (type === CHUNK.start && !view.subarray(at, end).equals(STREAM_START)) return undefined;
    at = end;
  }
  return concatAll(parts);
}

/** Returns the masked checksum of a chunk (framing format, section 3). */
function maskedChecksum(data: Uint8Array): number {
  const checksum = crc32c(data);
  return (((checksum >>> 15) | (checksum << 17)) + 0xa282ead8) >>> 0;
}
