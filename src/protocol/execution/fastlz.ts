import { byteAt } from '../bytes.ts';

const TABLE_SIZE = 1 << 13;
const MAX_DISTANCE = 8192;
const MAX_LITERALS = 32;
const MAX_MATCH = 262;
/** The last bytes of the input are never the start of a match. */
const TAIL = 13;

/** Last position of each hash of three bytes; shared by all calls, cleared by each. */
const positions = new Uint32Array(TABLE_SIZE);

/**
 * Returns the size (bytes) of the data after FastLZ level-1 compression (op-geth: `FlzCompressLen`, op-alloy:
 * `flz_compress_len`).
 * The specification (fjord, L1-Cost fees) takes LibZip's `flzCompress`. Only lengths are added up: literals in runs of
 * up to 32, matches of at least 3 bytes in pieces of up to 262, at a distance below 8192.
 */
export function flzCompressLen(data: Uint8Array): number {
  const end = data.length;
  const limit = Math.max(end - TAIL, 0);
  positions.fill(0);
  let length = 0;
  let literalsFrom = 0;
  let at = 2;
  while (at < limit) {
    const sequence = threeBytes(data, at);
    const slot = hash(sequence);
    const candidate = positions[slot] ?? 0;
    positions[slot] = at;
    if (at - candidate >= MAX_DISTANCE || threeBytes(data, candidate) !== sequence) {
      at++;
      continue;
    }
    // A match that was found at the last position before the limit is not used.
    if (at + 1 >= limit) break;
    if (at > literalsFrom) length += literalsLength(at - literalsFrom);
    const matched = matchLength(data, candidate + 3, at + 3, limit + 9);
    length += encodedMatchLength(matched);
    at += matched;
    positions[hash(threeBytes(data, at))] = at;
    positions[hash(threeBytes(data, at + 1))] = at + 1;
    at += 2;
    literalsFrom = at;
  }
  return length + literalsLength(end - literalsFrom);
}

function threeBytes(data: Uint8Array, at: number): number {
  return byteAt(data, at) | (byteAt(data, at + 1) << 8) | (byteAt(data, at + 2) << 16);
}

function hash(sequence: number): number {
  return Math.imul(2654435769, sequence) >>> 19;
}

/**
 * Returns the match length beyond the first three bytes, as the encoder counts it.
 * The differing byte counts too, unless the bound comes first.
 */
function matchLength(data: Uint8Array, from: number, at: number, bound: number): number {
  const most = bound - at;
  let length = 0;
  while (length < most) if (data[from + length] !== data[at + length++]) break;
  return length;
}

function literalsLength(count: number): number {
  const rest = count % MAX_LITERALS;
  return ((count - rest) / MAX_LITERALS) * (MAX_LITERALS + 1) + (rest === 0 ? 0 : rest + 1);
}

function encodedMatchLength(matched: number): number {
  const length = matched - 1;
  const rest = length % MAX_MATCH;
  return ((length - rest) / MAX_MATCH) * 3 + (rest >= 6 ? 3 : 2);
}
