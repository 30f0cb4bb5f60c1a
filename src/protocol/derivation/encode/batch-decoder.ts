import { concatAll } from '../../bytes.ts';
import { type ChannelCompression, channelCompression } from '../../codec/channel.ts';
import type { Frame } from '../../codec/frame.ts';
import { bytesToHex } from '../../hex.ts';
import type { Hex, L1Header } from '../../types.ts';
import type { Ports, Rollup } from '../ports.ts';
import { createChannelProvider } from '../stages/channel-provider.ts';
import { createChannelReader, type ReadBatch } from '../stages/channel-reader.ts';
import type { BatcherInput } from '../stages/data-source.ts';
import { createFrameQueue } from '../stages/frame-queue.ts';

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

/** A batch with the channel that contains it. */
export interface BatchWithMetadata {
  readonly channel: ChannelWithMetadata;
  /** Index in the channel. */
  readonly index: number;
  readonly batch: ReadBatch;
}

type Seen = FrameWithMetadata & Pick<Frame, 'data' | 'isLast'>;

/** Reads batches block by block of L1, in order, and records the place of each. */
export interface BatchDecoder {
  /** Returns the batches of the channels that this L1 block completes. */
  read(block: L1Header, inputs: readonly BatcherInput[]): Promise<readonly BatchWithMetadata[]>;
}

/**
 * Creates a decoder over the stages that derivation uses: frame queue, channel stage, channel reader.
 * It does not check batches. A channel that was opened before the first block read is missing. Counterpart: op-node's
 * `batch_decoder` (`ProcessFrames`).
 */
export function createBatchDecoder(rollup: Rollup, ports: Pick<Ports, 'decompress' | 'log'>): BatchDecoder {
  let origin: L1Header | undefined;
  let waiting: BatcherInput[] = [];
  let current: BatcherInput | undefined;
  let channel: ChannelWithMetadata | undefined;
  let index = 0;
  const seen = new Map<Hex, Map<number, Seen>>();
  const place = () => {
    if (origin === undefined) throw new Error('no L1 block was read');
    return origin;
  };

  const data = {
    origin: place,
    nextData: async () => {
      current = waiting.shift();
      return current?.data ?? ('eof' as const);
    },
  };
  const queue = createFrameQueue(rollup, data, ports.log);
  const frames = {
    origin: place,
    async nextFrame() {
      const frame = await queue.nextFrame();
      if (typeof frame !== 'string' && current !== undefined) note(frame, current);
      return frame;
    },
  };
  const stage = createChannelProvider(rollup, frames, ports.log);
  const reader = createChannelReader(rollup, ports, {
    origin: place,
    flush: () => stage.flush(),
    async nextChannel() {
      const bytes = await stage.nextChannel();
      if (typeof bytes !== 'string') {
        channel = wholeChannel(bytes);
        index = 0;
      }
      return bytes;
    },
  });

  function note(frame: Frame, { transaction, blob }: BatcherInput): void {
    const { number, hash, timestamp } = place();
    const known = seen.get(frame.channelId) ?? new Map<number, Seen>();
    // In strict order, a first frame starts its channel anew.
    if (frame.number === 0 && rollup.rulesAt(timestamp).channels.stages === 'assembler') known.clear();
    seen.set(frame.channelId, known);
    if (known.has(frame.number)) return;
    known.set(frame.number, {
      number: frame.number,
      bytes: frame.data.length,
      l1Block: { number, hash, timestamp },
      transaction,
      ...(blob === undefined ? {} : { blob }),
      data: frame.data,
      isLast: frame.isLast,
    });
  }

  /** Finds the frames that make up the bytes of a channel. */
  function wholeChannel(bytes: Uint8Array): ChannelWithMetadata {
    const text = bytesToHex(bytes);
    for (const [id, all] of seen) {
      const last = [...all.values()].find(({ isLast }) => isLast)?.number ?? -1;
      const own = [...all.values()].filter(({ number }) => number <= last).sort((a, b) => a.number - b.number);
      if (own.length !== last + 1 || bytesToHex(concatAll(own.map((frame) => frame.data))) !== text) continue;
      seen.delete(id);
      const places = own.map(({ data: _, isLast: __, ...frame }): FrameWithMetadata => frame);
      return { id, frames: places, bytes: bytes.length, compression: channelCompression(bytes) };
    }
    throw new Error(`no frames for a channel of ${bytes.length} bytes`);
  }

  /** Drops channels that can no longer be completed. */
  function forget({ number, timestamp }: L1Header): void {
    const timeout = rollup.rulesAt(timestamp).channels.timeout(rollup.config);
    for (const [id, all] of seen) {
      const opened = Math.min(...[...all.values()].map(({ l1Block }) => l1Block.number));
      if (opened + timeout < number) seen.delete(id);
    }
  }

  return {
    async read(block, inputs) {
      origin = block;
      waiting = [...inputs];
      forget(block);
      const found: BatchWithMetadata[] = [];
      for (;;) {
        const batch = await reader.nextBatch();
        if (batch === 'eof') return found;
        if (batch !== 'more' && channel !== undefined) found.push({ channel, index: index++, batch });
      }
    },
  };
}
