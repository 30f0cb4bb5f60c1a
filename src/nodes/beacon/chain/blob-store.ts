import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { type FileStore, openFileStore } from '../../../system/files/line-file.ts';

/** First bytes of a compressed file. A blob transaction begins with its type, 0x03, and a proof with 0x80 or more. */
const GZIP = [0x1f, 0x8b] as const;

/** Bytes from which a file is compressed: proofs of 48 bytes are not. */
const COMPRESSED_FROM = 1024;

/**
 * Opens the folder of blob transactions and proofs, in compressed files.
 * A blob has 131,072 bytes, which are mostly zeros on an idle network: 1 kB compressed. Files of earlier versions,
 * without compression, are read too.
 */
export function openBlobStore(folder: string): FileStore {
  const files = openFileStore(folder);
  return {
    ...files,
    put: (name, bytes) =>
      files.put(name, bytes.length < COMPRESSED_FROM ? bytes : gzipSync(bytes, { level: constants.Z_BEST_SPEED })),
    get(name) {
      const stored = files.get(name);
      return stored !== undefined && GZIP.every((byte, at) => stored[at] === byte) ? gunzipSync(stored) : stored;
    },
  };
}
