import { concat, concatAll } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { rlpEncode, rlpSpan } from './rlp.ts';

/** Compression functions, which the caller injects (op-node: `ChannelCompressor`). */
export interface Compress {
  zlib(bytes: Uint8Array): Uint8Array;
  brotli(bytes: Uint8Array): Uint8Array;
}

/** Compression of a channel (op-node: `CompressionAlgo`). */
export type ChannelCompression = keyof Compress;

const BROTLI_VERSION = 0x01;
const ZLIB_METHODS = [8, 15];

/**
 * Returns the compression that the first byte of a channel names, null for none (op-node, kona: `BatchReader`).
 * Specification: derivation, Channel Format.
 */
export function channelCompression(channel: Uint8Array): ChannelCompression | null {
  const first = channel[0];
  if (first === undefined) return null;
  if (ZLIB_METHODS.includes(first & 0x0f)) return 'zlib';
  return first === BROTLI_VERSION ? 'brotli' : null;
}

/**
 * Yields the batches of a decompressed channel one by one: the content of each RLP string (op-node, kona:
 * `BatchReader`).
 * @throws ProtocolError channel-malformed at a broken RLP string, after the batches before it were yielded
 */
export function* channelBatches(plain: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < plain.length; ) {
    const { list, start, end } = nextSpan(plain, at);
    if (list) throw malformed('none', `expected an RLP string at byte ${at}, found a list`);
    yield plain.subarray(start, end);
    at = end;
  }
}

/** Encodes batches as one compressed channel. */
export function encodeChannel(
  batches: readonly Uint8Array[],
  compression: ChannelCompression,
  compress: Compress,
): Uint8Array {
  const plain = concatAll(batches.map(rlpEncode));
  return compression === 'zlib' ? compress.zlib(plain) : concat(Uint8Array.of(BROTLI_VERSION), compress.brotli(plain));
}

function nextSpan(plain: Uint8Array, at: number) {
  try {
    return rlpSpan(plain, at);
  } catch (error) {
    throw malformed('none', error instanceof Error ? error.message : String(error));
  }
}

function malformed(compression: string, problem: string): ProtocolError {
  return new ProtocolError('channel-malformed', 'drop', `channel is dropped: ${problem}`, { compression });
}
