import { type ChannelCompression, type Compress, encodeChannel } from '../../codec/channel.ts';
import { type Frame, splitIntoFrames } from '../../codec/frame.ts';
import { encodeSingularBatch, type SingularBatch } from '../../codec/singular-batch.ts';
import { encodeRawSpanBatch, rawSpanBatchOf } from '../../codec/span/batch.ts';
import { bytesToHex } from '../../hex.ts';
import type { ExecutionPayload } from '../../types.ts';
import type { Rollup } from '../ports.ts';
import { blockToBatch } from './block-to-batch.ts';

/** RLP's length prefix of a batch takes at most this many bytes. */
const RLP_PREFIX = 9;

/** Options of a channel under construction. */
export interface ChannelOutOptions {
  /** 16 bytes, random. Two channels of one id within a channel timeout would mix their frames. */
  readonly id: Uint8Array;
  readonly batchType: 'singular' | 'span';
  readonly compression: ChannelCompression;
  readonly compress: Compress;
  /** Compresses after every block to check the target size. It may trade ratio for time. Default: `compress`. */
  readonly gauge?: Compress;
  /** Bytes of compressed channel that it may grow to; only a single block may exceed them. */
  readonly targetSize: number;
  /** Most blocks of one span batch; absent or 0: all blocks are one span batch. */
  readonly maxBlocksPerSpanBatch?: number;
}

/**
 * A channel under construction: blocks go in, frames come out once it is closed.
 * Counterparts: `ChannelOut`, `SingularChannelOut`, `SpanChannelOut` (op-node), `ChannelOut` (kona).
 */
export interface ChannelOut {
  /**
   * Adds the next L2 block (op-node: `AddBlock`).
   * Returns false if the block would exceed the target size or the protocol's limit on a channel. The channel is
   * full then, and the block belongs into another one.
   * @throws DerivationError (fatal) for a block that does not begin with L1 attributes; Error if it does not follow
   * the previous one, or after `close`
   */
  addBlock(payload: ExecutionPayload): boolean;
  /** Blocks added. */
  blocks(): number;
  /** Tells whether no block fits any more, or a single one filled the channel (op-node: `FullErr`). */
  isFull(): boolean;
  /** Upper bound of the bytes of the uncompressed channel (op-node: `InputBytes`). */
  inputBytes(): number;
  /** Ends the channel; it takes no more blocks. Further calls do nothing. */
  close(): void;
  /**
   * Returns the frames of the closed channel, each of at most `maxFrameSize` encoded bytes (op-node: `OutputFrame`).
   * @throws Error while the channel is open
   */
  frames(maxFrameSize: number): readonly Frame[];
}

interface Added {
  readonly batch: SingularBatch;
  readonly sequenceNumber: number;
  readonly hash: string;
}

/** Opens a channel (specification: Batch Submission). */
export function createChannelOut(rollup: Rollup, options: ChannelOutOptions): ChannelOut {
  const { genesis, block_time: blockTime, l2_chain_id: chainId } = rollup.config;
  const gauge = options.gauge ?? options.compress;
  const chain = { genesisTime: genesis.l2_time, blockTime, chainId };
  const added: Added[] = [];
  let inputBytes = 0;
  /** Upper bound of the compressed size: the last compression plus everything since, uncompressed. */
  let outputBound = 0;
  let full = false;
  let channel: Uint8Array | null = null;

  const encode = (blocks: readonly Added[], compress: Compress): Uint8Array => {
    const encoded =
      options.batchType === 'singular'
        ? blocks.map(({ batch }) => encodeSingularBatch(batch))
        : spans(blocks, options.maxBlocksPerSpanBatch || blocks.length).map((span) =>
            encodeRawSpanBatch(
              rawSpanBatchOf(
                span.map(({ batch }) => batch),
                span[0]?.sequenceNumber === 0,
                chain,
              ),
            ),
          );
    return encodeChannel(encoded, options.compression, compress);
  };

  return {
    addBlock(payload) {
      if (channel !== null) throw new Error(`block ${payload.blockNumber} comes after its channel was closed`);
      if (full) return false;
      const last = added.at(-1);
      if (last !== undefined && last.hash !== payload.parentHash) {
        throw new Error(
          `block ${payload.blockNumber} builds on ${payload.parentHash}, the channel ends with ${last.hash}`,
        );
      }
      const next: Added = { ...blockToBatch(rollup, payload), hash: payload.blockHash };
      const size = encodeSingularBatch(next.batch).length + RLP_PREFIX;
      const { maxRlpBytes } = rollup.rulesAt(payload.timestamp).channels;
      if (last !== undefined && inputBytes + size > maxRlpBytes) {
        full = true;
        return false;
      }
      let bound = outputBound + size;
      if (bound >= options.targetSize) {
        bound = encode([...added, next], gauge).length;
        full = bound >= options.targetSize;
        if (last !== undefined && bound > options.targetSize) return false;
      }
      added.push(next);
      inputBytes += size;
      outputBound = bound;
      return true;
    },
    blocks: () => added.length,
    isFull: () => full,
    inputBytes: () => inputBytes,
    close() {
      if (channel !== null) return;
      channel = encode(added, options.compress);
      // Blocks were accepted by the gauge's size. If `compress` makes a larger channel, the gauge's is sent.
      if (channel.length > options.targetSize && added.length > 1) channel = encode(added, gauge);
    },
    frames(maxFrameSize) {
      if (channel === null) throw new Error('a channel has no frames before it is closed');
      return splitIntoFrames(bytesToHex(options.id), channel, maxFrameSize);
    },
  };
}

/** Splits blocks into runs of at most `size`. */
function spans(blocks: readonly Added[], size: number): readonly (readonly Added[])[] {
  const count = Math.ceil(blocks.length / size) || 0;
  return Array.from({ length: count }, (_, at) => blocks.slice(at * size, (at + 1) * size));
}
