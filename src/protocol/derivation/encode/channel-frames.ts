import { concatAll } from '../../bytes.ts';
import { type ChannelCompression, channelCompression } from '../../codec/channel.ts';
import type { Frame } from '../../codec/frame.ts';
import { bytesToHex } from '../../hex.ts';
import type { Hex, L1Header } from '../../types.ts';
import type { Rollup } from '../ports.ts';
import type { BatcherInput } from '../stages/blob-calldata-source.ts';

/** A frame and its place on L1 (op-node, batch_decoder: `FrameWithMetadata`). */
export interface FrameWithMetadata {
  readonly number: number;
  /** Bytes of its data. */
  readonly bytes: number;
  readonly l1Block: Pick<L1Header, 'number' | 'hash' | 'timestamp'>;
  readonly transaction: Hex;
  /** Versioned hash of its blob; absent: it is in calldata. */
  readonly blob?: Hex;
}

/** A whole channel with the places of its frames (op-node, batch_decoder: `ChannelWithMetadata`). */
export interface ChannelWithMetadata {
  readonly id: Hex;
  readonly frames: readonly FrameWithMetadata[];
  /** Compressed bytes. */
  readonly bytes: number;
  readonly compression: ChannelCompression | null;
}

type TrackedFrame = FrameWithMetadata & Pick<Frame, 'data' | 'isLast'>;

/** Frames of channels that are not whole yet, with the place of each (op-node, batch_decoder: `ProcessFrames`). */
export class ChannelFrames {
  readonly #rollup: Rollup;
  readonly #channels = new Map<Hex, Map<number, TrackedFrame>>();

  constructor(rollup: Rollup) {
    this.#rollup = rollup;
  }

  /** Adds a frame of an L1 block. The first of a number counts. */
  add(frame: Frame, { number, hash, timestamp }: L1Header, { transaction, blob }: BatcherInput): void {
    const frames = this.#channels.get(frame.channelId) ?? new Map<number, TrackedFrame>();
    // In strict order, a first frame starts its channel anew.
    if (frame.number === 0 && this.#rollup.rulesAt(timestamp).channels.stages === 'assembler') frames.clear();
    this.#channels.set(frame.channelId, frames);
    if (frames.has(frame.number)) return;
    frames.set(frame.number, {
      number: frame.number,
      bytes: frame.data.length,
      l1Block: { number, hash, timestamp },
      transaction,
      ...(blob === undefined ? {} : { blob }),
      data: frame.data,
      isLast: frame.isLast,
    });
  }

  /** Removes and returns the channel whose frames make up these bytes. */
  take(bytes: Uint8Array): ChannelWithMetadata {
    const text = bytesToHex(bytes);
    for (const [id, all] of this.#channels) {
      const last = [...all.values()].find(({ isLast }) => isLast)?.number ?? -1;
      const frames = [...all.values()].filter(({ number }) => number <= last).sort((a, b) => a.number - b.number);
      if (frames.length !== last + 1 || bytesToHex(concatAll(frames.map((frame) => frame.data))) !== text) continue;
      this.#channels.delete(id);
      const places = frames.map(({ data: _, isLast: __, ...frame }): FrameWithMetadata => frame);
      return { id, frames: places, bytes: bytes.length, compression: channelCompression(bytes) };
    }
    throw new Error(`no frames for a channel of ${bytes.length} bytes`);
  }

  /** Drops channels that can no longer be completed at an L1 block. */
  prune({ number, timestamp }: L1Header): void {
    const timeout = this.#rollup.rulesAt(timestamp).channels.timeout(this.#rollup.config);
    for (const [id, frames] of this.#channels) {
      const opened = Math.min(...[...frames.values()].map(({ l1Block }) => l1Block.number));
      if (opened + timeout < number) this.#channels.delete(id);
    }
  }
}
