import { concatAll } from '../../bytes.ts';
import type { Frame } from '../../codec/frame.ts';
import { present } from '../../present.ts';
import type { Rollup } from '../ports.ts';
import type { HasOrigin } from './stage.ts';

/**
 * Bytes that each buffered frame counts on top of its data (op-node: `frameOverhead`).
 * Specification: Channel Bank, Pruning.
 */
const FRAME_OVERHEAD = 200;

/** A channel as it is put together from frames (op-node, kona: `Channel`). */
export interface Channel {
  readonly id: Frame['channelId'];
  /** Number of the L1 block with its first frame. */
  readonly openBlock: number;
  /** Bytes that count against the limits: data and overhead of the frames. */
  size(): number;
  /**
   * Buffers a frame (op-node: `AddFrame`, kona: `add_frame`). Returns false if the channel cannot take it.
   * That is a second closing frame, a known number, one past the end, or (in strict order) not the next one.
   */
  addFrame(frame: Frame): boolean;
  /** All frames up to the closing one are there. */
  isReady(): boolean;
  /** The compressed channel. Only of a ready channel. */
  data(): Uint8Array;
}

/**
 * Creates a channel opened by a frame in the L1 block of number `openBlock`.
 * `inOrder`: frames must come one after another. Counterpart in op-node: `NewChannel`.
 */
export function createChannel(id: Frame['channelId'], openBlock: number, inOrder: boolean): Channel {
  const frames = new Map<number, Frame>();
  let end: number | null = null;
  let size = 0;

  return {
    id,
    openBlock,
    size: () => size,
    addFrame(frame) {
      if (frame.channelId !== id || frames.has(frame.number)) return false;
      if (end !== null && (frame.isLast || frame.number >= end)) return false;
      if (inOrder && frame.number !== frames.size) return false;
      if (frame.isLast) {
        end = frame.number;
        const beyond = [...frames.keys()].filter((number) => number > frame.number);
        for (const number of beyond) frames.delete(number);
        // op-node and kona subtract the frames that stay too. The channel bank prunes by this size.
        if (beyond.length > 0) size = 0;
      }
      frames.set(frame.number, frame);
      size += frame.data.length + FRAME_OVERHEAD;
      return true;
    },
    isReady: () => end !== null && frames.size === end + 1,
    data: () =>
      concatAll(
        Array.from(
          { length: frames.size },
          (_, number) => present(frames.get(number), 'frame of a ready channel').data,
        ),
      ),
  };
}

/**
 * Tells whether a channel was opened more than one channel timeout before the pipeline's origin.
 * Counterpart in op-node: `channelTimedOut`.
 */
export function isTimedOut(rollup: Rollup, { openBlock }: Channel, stage: HasOrigin): boolean {
  const origin = stage.origin();
  return openBlock + rollup.rulesAt(origin.timestamp).channels.timeout(rollup.config) < origin.number;
}
