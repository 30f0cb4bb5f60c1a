import { byteAt } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';

/** Bytes of a blob: 4096 field elements of 32 bytes (EIP-4844). */
export const BLOB_SIZE = 131_072;
/** Most bytes of data that one blob carries (op-service: `MaxBlobDataSize`). */
export const MAX_BLOB_DATA_SIZE = (4 * 31 + 3) * 1024 - 4;

const ROUNDS = 1024;
const ENCODING_VERSION = 0;
/** Version byte and 3 bytes of length, before the data. */
const BLOB_HEADER_BYTES = 4;

/**
 * Encodes data into a blob (op-service: `Blob.FromData`; specification: ecotone, Blob Encoding).
 * Each round packs 127 bytes into 4 field elements: 31 bytes each, and three more bytes spread over their first bytes,
 * whose top two bits stay zero.
 * @throws ProtocolError out-of-range
 */
export function encodeBlob(data: Uint8Array): Uint8Array {
  if (data.length > MAX_BLOB_DATA_SIZE) {
    throw new ProtocolError('out-of-range', 'drop', `${data.length} bytes exceed a blob's ${MAX_BLOB_DATA_SIZE}`, {
      field: 'data',
      value: data.length,
    });
  }
  const plain = new Uint8Array(ROUNDS * 127);
  plain.set([ENCODING_VERSION, data.length >> 16, (data.length >> 8) & 0xff, data.length & 0xff]);
  plain.set(data, BLOB_HEADER_BYTES);
  const blob = new Uint8Array(BLOB_SIZE);
  for (let round = 0, from = 0; from < BLOB_HEADER_BYTES + data.length; round++, from += 127) {
    const at = round * 128;
    const x = byteAt(plain, from + 31);
    const y = byteAt(plain, from + 63);
    const z = byteAt(plain, from + 95);
    blob[at] = x & 0x3f;
    blob[at + 32] = (y & 0x0f) | ((x & 0xc0) >> 2);
    blob[at + 64] = z & 0x3f;
    blob[at + 96] = ((z & 0xc0) >> 2) | (y >> 4);
    for (let element = 0; element < 4; element++) {
      const start = from + element * 32;
      blob.set(plain.subarray(start, start + 31), at + element * 32 + 1);
    }
  }
  return blob;
}

/**
 * Decodes the data of a blob (op-service: `Blob.ToData`, kona: `BlobData::decode`).
 * @throws ProtocolError blob-malformed: the blob is dropped
 */
export function decodeBlob(blob: Uint8Array): Uint8Array {
  if (blob.length !== BLOB_SIZE) throw malformed(0, `expected ${BLOB_SIZE} bytes, found ${blob.length}`);
  if (blob[1] !== ENCODING_VERSION) throw malformed(1, `expected version ${ENCODING_VERSION}, found ${blob[1]}`);
  const length = (byteAt(blob, 2) << 16) | (byteAt(blob, 3) << 8) | byteAt(blob, 4);
  if (length > MAX_BLOB_DATA_SIZE) throw malformed(2, `length ${length} exceeds ${MAX_BLOB_DATA_SIZE}`);
  const plain = new Uint8Array(ROUNDS * 127);
  for (let round = 0; round < ROUNDS; round++) {
    const at = round * 128;
    const to = round * 127;
    // The first byte of the blob is exempt: op-service and kona mask it without a check.
    for (let element = round === 0 ? 1 : 0; element < 4; element++) {
      const first = at + element * 32;
      if (byteAt(blob, first) > 0x3f) throw malformed(first, 'top bits of a field element are set');
    }
    for (let element = 0; element < 4; element++) {
      const start = at + element * 32 + 1;
      plain.set(blob.subarray(start, start + 31), to + element * 32);
    }
    const a = byteAt(blob, at);
    const b = byteAt(blob, at + 32);
    const c = byteAt(blob, at + 64);
    const d = byteAt(blob, at + 96);
    plain[to + 31] = (a & 0x3f) | ((b & 0x30) << 2);
    plain[to + 63] = (b & 0x0f) | ((d & 0x0f) << 4);
    plain[to + 95] = (c & 0x3f) | ((d & 0x30) << 2);
  }
  const end = BLOB_HEADER_BYTES + length;
  const extra = plain.subarray(end).findIndex((byte) => byte !== 0);
  if (extra >= 0) throw malformed(end + extra, 'bytes after the data are not zero');
  return plain.subarray(BLOB_HEADER_BYTES, end);
}

function malformed(offset: number, problem: string): ProtocolError {
  return new ProtocolError('blob-malformed', 'drop', `blob at byte ${offset}: ${problem}`, { offset });
}
