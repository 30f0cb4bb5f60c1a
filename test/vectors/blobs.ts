import { decodeBlob, encodeBlob } from '../../src/protocol/codec/blob.ts';
import { bytesToHex, hexToBytes } from '../../src/protocol/hex.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { same, type VectorKind } from './kind.ts';

/** Blobs in files of their own, as hexadecimal text: read, and written again to the same bytes. */
export const blobs: VectorKind = {
  name: 'blobs',
  files: /(^|\/)blob\d+\.txt$/,
  cases(path, text) {
    const published = text.trim() as Hex;
    return [
      {
        name: path,
        check: () => same('blob', bytesToHex(encodeBlob(decodeBlob(hexToBytes(published)))), published),
      },
    ];
  },
};
