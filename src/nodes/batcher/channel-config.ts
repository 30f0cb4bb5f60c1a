import { createHash } from 'node:crypto';
import { l1InfoOf } from '../../protocol/derivation/attributes/l1-info.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { ExecutionPayload, Hex, Seconds } from '../../protocol/types.ts';
import type { ChannelConfig } from './channel-builder.ts';
import { MAX_BLOBS, maxFrameSize } from './options/tx-data.ts';

/** Head of L1 when a channel is opened. */
interface L1Head {
  readonly hash: Hex;
  readonly timestamp: Seconds;
}

/**
 * Returns the settings of a channel as far as the rules allow them (op-batcher: `ChannelConfigProvider`).
 * `maxTxSize`: bytes of calldata of one transaction.
 */
export function channelConfigAt(
  rollup: Rollup,
  head: L1Head,
  first: ExecutionPayload,
  settings: Omit<ChannelConfig, 'maxFrameSize'>,
  maxTxSize: number,
): ChannelConfig {
  const atHead = rollup.rulesAt(head.timestamp);
  // Span batches are checked by the rules at their first block's origin, which may be far behind the head.
  const atOrigin = rollup.rulesAt(l1InfoOf(rollup, first).timestamp);
  const { daType, targetNumFrames } = settings;
  return {
    ...settings,
    batchType: atOrigin.batches.span ? settings.batchType : 'singular',
    compression: atHead.channels.brotli ? settings.compression : 'zlib',
    targetNumFrames: daType === 'blobs' ? Math.min(targetNumFrames, MAX_BLOBS) : targetNumFrames,
    maxFrameSize: maxFrameSize(daType, maxTxSize),
  };
}

/**
 * Returns the 16 bytes of a channel id. Equal chains give equal ids, so that the same run makes the same L1 blocks.
 * A channel that is built again for the same blocks has another one, by L1's head or its place in this process.
 */
export function channelId(head: L1Head, first: ExecutionPayload, place: number): Uint8Array {
  return createHash('sha256').update(`${head.hash} ${first.blockHash} ${place}`).digest().subarray(0, 16);
}
