import { present } from '../../present.ts';
import type { L1Header } from '../../types.ts';
import type { Ports, Rollup } from '../ports.ts';
import type { BatcherInput } from '../stages/blob-calldata-source.ts';
import { createChannelProvider } from '../stages/channel-provider.ts';
import { type ChannelReader, createChannelReader, type ReadBatch } from '../stages/channel-reader.ts';
import { createFrameQueue } from '../stages/frame-queue.ts';
import { ChannelFrames, type ChannelWithMetadata } from './channel-frames.ts';

/** A batch with the channel that contains it. */
export interface BatchWithMetadata {
  readonly channel: ChannelWithMetadata;
  /** Index in the channel. */
  readonly index: number;
  readonly batch: ReadBatch;
}

/**
 * Reads batches block by block of L1, in order, and records the place of each.
 * It runs the stages that derivation uses: frame queue, channel stage, channel reader. It does not check batches.
 * A channel that was opened before the first block read is missing. Counterpart: op-node's `batch_decoder`.
 */
export class BatchDecoder {
  readonly #frames: ChannelFrames;
  readonly #reader: ChannelReader;
  #origin: L1Header | undefined;
  /** Inputs of the block that were not read yet, and the one that was read last. */
  #inputs: BatcherInput[] = [];
  #input: BatcherInput | undefined;
  /** The channel that was read last, and the number of its batches so far. */
  #channel: ChannelWithMetadata | undefined;
  #index = 0;

  constructor(rollup: Rollup, ports: Pick<Ports, 'decompress' | 'log'>) {
    this.#frames = new ChannelFrames(rollup);
    this.#reader = this.#createStages(rollup, ports);
  }

  /** Returns the batches of the channels that this L1 block completes. */
  async read(block: L1Header, inputs: readonly BatcherInput[]): Promise<readonly BatchWithMetadata[]> {
    this.#origin = block;
    this.#inputs = [...inputs];
    this.#frames.prune(block);
    const batches: BatchWithMetadata[] = [];
    for (;;) {
      const batch = await this.#reader.nextBatch();
      if (batch === 'eof') return batches;
      if (batch === 'more') continue;
      batches.push({ channel: present(this.#channel, 'channel of a batch'), index: this.#index++, batch });
    }
  }

  /** Creates the stages, and records the place of what passes between them. */
  #createStages(rollup: Rollup, ports: Pick<Ports, 'decompress' | 'log'>): ChannelReader {
    const origin = () => present(this.#origin, 'L1 block of the decoder');
    const nextData = async () => {
      this.#input = this.#inputs.shift();
      return this.#input?.data ?? ('eof' as const);
    };
    const queue = createFrameQueue(rollup, { origin, nextData }, ports.log);
    const nextFrame = async () => {
      const frame = await queue.nextFrame();
      if (typeof frame !== 'string') this.#frames.add(frame, origin(), present(this.#input, 'input of a frame'));
      return frame;
    };
    const stage = createChannelProvider(rollup, { origin, nextFrame }, ports.log);
    const nextChannel = async () => {
      const bytes = await stage.nextChannel();
      if (typeof bytes !== 'string') {
        this.#channel = this.#frames.take(bytes);
        this.#index = 0;
      }
      return bytes;
    };
    return createChannelReader(rollup, ports, { ...stage, nextChannel });
  }
}
