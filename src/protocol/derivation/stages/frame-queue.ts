import { decodeBatcherTransaction, type Frame } from '../../codec/frame.ts';
import type { DerivationLog, Rollup } from '../ports.ts';
import type { HasOrigin, Pulled } from './stage.ts';

/** The part of L1 retrieval that the frame queue calls (op-node: `NextDataProvider`, kona: `FrameQueueProvider`). */
export interface DataProvider extends HasOrigin {
  nextData(): Promise<Pulled<Uint8Array>>;
}

/** Stage 3: the frames of each piece of batcher data (op-node, kona: `FrameQueue`; specification: Frame Queue). */
export interface FrameQueue extends HasOrigin {
  nextFrame(): Promise<Pulled<Frame>>;
  reset(): void;
}

/** Creates the frame queue above L1 retrieval. Data with anything but whole frames is dropped as a whole. */
export function createFrameQueue(rollup: Rollup, below: DataProvider, log?: DerivationLog): FrameQueue {
  let frames: Frame[] = [];

  const load = (data: Uint8Array): void => {
    try {
      frames.push(...decodeBatcherTransaction(data));
    } catch (error) {
      log?.('warn', 'dropped batcher data that is not whole frames', { bytes: data.length, reason: String(error) });
    }
    const { channels } = rollup.rulesAt(below.origin().timestamp);
    if (channels.stages === 'assembler') frames = pruneFrames(frames);
  };

  return {
    origin: () => below.origin(),
    async nextFrame() {
      if (frames.length === 0) {
        const data = await below.nextData();
        if (typeof data === 'string') return data;
        load(data);
      }
      return frames.shift() ?? 'more';
    },
    reset() {
      frames = [];
    },
  };
}

/**
 * Leaves only frames that are in order and contiguous per channel (op-node: `pruneFrameQueue`).
 * Specification: holocene, Frame Queue.
 */
export function pruneFrames(frames: readonly Frame[]): Frame[] {
  const queue: Frame[] = [];
  for (const frame of frames) {
    while (discards(frame, queue.at(-1))) queue.pop();
    if (follows(frame, queue.at(-1))) queue.push(frame);
  }
  return queue;
}

/** Tells whether a frame is the first of a channel and the frame before it is of another, unfinished one. */
function discards(frame: Frame, previous: Frame | undefined): boolean {
  return frame.number === 0 && previous?.isLast === false && previous.channelId !== frame.channelId;
}

/** Tells whether a frame begins a channel behind a finished one or is the next one of its channel. */
function follows(frame: Frame, previous: Frame | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.channelId !== frame.channelId) return frame.number === 0;
  return !previous.isLast && frame.number === previous.number + 1;
}
