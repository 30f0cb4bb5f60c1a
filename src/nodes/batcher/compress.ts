import { brotliCompressSync, constants, deflateSync } from 'node:zlib';
import type { ChannelCompression, Compress } from '../../protocol/codec/channel.ts';

export type CompressionOption = 'zlib' | 'brotli' | 'brotli-9' | 'brotli-10' | 'brotli-11';

/** The channel compression that an option names, and Node's compressors set as it says; `isStored`: zlib's format without compression. */
export function compressionOf(
  choice: CompressionOption,
  isStored = false,
): { compression: ChannelCompression; compress: Compress } {
  const quality = Number(/\d+$/.exec(choice)?.[0] ?? 10);
  return {
    compression: choice === 'zlib' ? 'zlib' : 'brotli',
    compress: {
      zlib: (bytes) =>
        deflateSync(bytes, { level: isStored ? constants.Z_NO_COMPRESSION : constants.Z_BEST_COMPRESSION }),
      brotli: (bytes) =>
        brotliCompressSync(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: quality,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        }),
    },
  };
}
