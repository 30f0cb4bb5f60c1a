import type { ChannelCompression, Compress } from '../../protocol/codec/channel.ts';
import { FRAME_OVERHEAD, type Frame } from '../../protocol/codec/frame.ts';
import { blockRefOf } from '../../protocol/derivation/attributes/block-ref.ts';
import { type ChannelOut, createChannelOut } from '../../protocol/derivation/encode/channel-out.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { BlockId, ExecutionPayload } from '../../protocol/types.ts';
import type { DaType } from './options/da-type.ts';

/** Settings of a channel (op-batcher: `ChannelConfig`). */
export interface ChannelConfig {
  /** DA type of its frames, which decides their size. */
  readonly daType: DaType;
  readonly batchType: 'singular' | 'span';
  readonly compression: ChannelCompression;
  readonly compress: Compress;
  /** Estimates whether a channel is full. */
  readonly gauge: Compress;
  /** Bytes of one encoded frame, overhead included. */
  readonly maxFrameSize: number;
  /** Target number of frames; one large block may take more. */
  readonly targetNumFrames: number;
  /** Assumed compression ratio (compressed by input size); undefined: the size is measured. */
  readonly assumedRatio: number | undefined;
  /** Blocks of one span batch, of which a channel may hold several. 0: any number. */
  readonly maxBlocksPerSpanBatch: number;
  /** L1 blocks, 0: no limit. */
  readonly maxChannelDuration: number;
  /** L1 blocks */
  readonly subSafetyMargin: number;
}

/** A closed channel, with the L2 blocks that it covers. */
export interface BuiltChannel {
  readonly daType: DaType;
  readonly frames: readonly Frame[];
  readonly first: BlockId;
  readonly last: BlockId;
  readonly blocks: number;
  /** Reason of the close, for the log. */
  readonly reason: string;
}

/** The channel that is being filled (op-batcher: `ChannelBuilder`). */
export interface OpenChannel {
  /** Returns false if the block does not fit: it belongs to the next channel. */
  add(payload: ExecutionPayload): boolean;
  /** Returns why it must be submitted at this L1 head; undefined while it may wait. */
  due(l1Head: number): string | undefined;
  readonly blocks: number;
  close(reason: string): BuiltChannel;
}

/**
 * Opens a channel (op-batcher: `NewChannelBuilder`).
 * Its duration counts from `since`, the L1 head at the previous submission: each L1 block can then carry the new
 * blocks.
 */
export function openChannel(rollup: Rollup, policy: ChannelConfig, id: Uint8Array, since: number): OpenChannel {
  const { batchType, compression, compress, gauge, maxFrameSize, targetNumFrames, subSafetyMargin, assumedRatio } =
    policy;
  const targetSize = (maxFrameSize - FRAME_OVERHEAD) * targetNumFrames;
  const isFull = () => out.isFull() || (assumedRatio !== undefined && out.inputBytes() * assumedRatio >= targetSize);
  const out: ChannelOut = createChannelOut(rollup, {
    id,
    batchType,
    compression,
    compress,
    gauge,
    maxBlocksPerSpanBatch: policy.maxBlocksPerSpanBatch,
    targetSize: assumedRatio === undefined ? targetSize : Number.POSITIVE_INFINITY,
  });
  let range: { readonly first: BlockId; readonly last: BlockId } | undefined;
  /** The L1 block by which the channel must be submitted. */
  let deadline = Number.POSITIVE_INFINITY;
  if (policy.maxChannelDuration > 0) deadline = since + policy.maxChannelDuration;
  return {
    add(payload) {
      if (isFull() || !out.addBlock(payload)) return false;
      const { hash, number, l1origin } = blockRefOf(rollup, payload);
      const last = { hash, number };
      range = { first: range?.first ?? last, last };
      deadline = Math.min(deadline, l1origin.number + rollup.config.seq_window_size - subSafetyMargin);
      return true;
    },
    due(head) {
      if (range === undefined) return undefined;
      if (isFull()) return 'full';
      return head >= deadline ? 'due' : undefined;
    },
    get blocks() {
      return out.blocks();
    },
    close(reason) {
      if (range === undefined) throw new Error('a channel without blocks is not posted');
      out.close();
      return { daType: policy.daType, frames: out.frames(maxFrameSize), ...range, blocks: out.blocks(), reason };
    },
  };
}
