import type { Transform } from 'node:stream';
import { brotliDecompressSync, constants, createBrotliDecompress, createInflate, inflateSync } from 'node:zlib';

/** Decompresses with Node's zlib. The output ends at the size limit (bytes) or at the first fault. */
export const decompressors = {
  zlib: (bytes: Uint8Array, maxBytes: number): Uint8Array | Promise<Uint8Array> =>
    whole(() => inflateSync(bytes, { maxOutputLength: maxBytes })) ?? partly(createInflate(), bytes, maxBytes),
  brotli: (bytes: Uint8Array, maxBytes: number): Uint8Array | Promise<Uint8Array> =>
    whole(() => brotliDecompressSync(bytes, { maxOutputLength: maxBytes })) ??
    partly(createBrotliDecompress({ params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 0 } }), bytes, maxBytes),
};

function whole(run: () => Uint8Array): Uint8Array | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Returns the output up to the limit, a fault or the end. */
function partly(stream: Transform, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const finish = () => {
      stream.destroy();
      resolve(Buffer.concat(parts));
    };
    stream.on('data', (part: Buffer) => {
      const piece = part.subarray(0, maxBytes - size);
      parts.push(piece);
      size += piece.length;
      if (size >= maxBytes) finish();
    });
    stream.on('end', finish);
    stream.on('error', finish);
    stream.end(bytes);
  });
}
