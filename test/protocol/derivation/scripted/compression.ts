import { brotliCompressSync, constants, createBrotliDecompress, createInflate, deflateSync } from 'node:zlib';
import type { Compress } from '../../../../src/protocol/codec/channel.ts';
import type { Decompress, Decompressors } from '../../../../src/protocol/derivation/ports.ts';

/** Node's compressors. */
export const compress: Compress = {
  zlib: (bytes) => deflateSync(bytes),
  brotli: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** Node's decompressors, which yield what comes before a fault. */
export const decompress: Decompressors = {
  zlib: streaming(() => createInflate()),
  brotli: streaming(() => createBrotliDecompress()),
};

function streaming(
  open: () => ReturnType<typeof createInflate> | ReturnType<typeof createBrotliDecompress>,
): Decompress {
  return (compressed, maxBytes) =>
    new Promise((resolve) => {
      const parts: Uint8Array[] = [];
      let size = 0;
      const stream = open();
      const done = () => resolve(Uint8Array.from(Buffer.concat(parts).subarray(0, maxBytes)));
      stream.on('data', (part: Uint8Array) => {
        parts.push(part);
        size += part.length;
        if (size >= maxBytes) stream.destroy();
      });
      stream.on('error', done);
      stream.on('close', done);
      stream.end(compressed);
    });
}
