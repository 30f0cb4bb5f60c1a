import { channelBatches, channelCompression } from '../../codec/channel.ts';
import type { SingularBatch } from '../../codec/singular-batch.ts';
import { type SpanBatch, spanBatchOf } from '../../codec/span/batch.ts';
import { type Batch, decodeBatch } from '../batch/batch-data.ts';
import type { Ports, Rollup } from '../ports.ts';
import type { HasOrigin, Pulled } from './stage.ts';

/** The part of the channel stage that the channel reader calls (kona: `ChannelReaderProvider`). */
export interface ChannelProviderBelow extends HasOrigin {
  nextChannel(): Promise<Pulled<Uint8Array>>;
  flush(): void;
}

/** A decoded batch; a span batch laid out by block. */
export type ReadBatch =
  | { readonly kind: 'singular'; readonly batch: SingularBatch }
  | { readonly kind: 'span'; readonly batch: SpanBatch };

/**
 * Stage 5: the batches of each channel (op-node: `ChannelInReader`, kona: `ChannelReader`).
 * Specification: Batch Decoding.
 */
export interface ChannelReader extends HasOrigin {
  nextBatch(): Promise<Pulled<ReadBatch>>;
  /** Drops the rest of the channel, here and below (op-node: `FlushChannel`). */
  flush(): void;
  reset(): void;
}

/**
 * Creates the channel reader above the channel stage.
 * Bytes that are no RLP string, an unknown batch version and a broken layout drop the rest of the channel. As in
 * op-node, a whole span batch before its activation, or with an unreadable transaction, is dropped alone.
 */
export function createChannelReader(
  rollup: Rollup,
  { decompress, log }: Pick<Ports, 'decompress' | 'log'>,
  below: ChannelProviderBelow,
): ChannelReader {
  const { genesis, block_time: blockTime, l2_chain_id: chainId } = rollup.config;
  const chain = { genesisTime: genesis.l2_time, blockTime, chainId };
  let batches: Iterator<Uint8Array, void> | null = null;

  const open = async (channel: Uint8Array): Promise<Iterator<Uint8Array, void> | null> => {
    const { maxRlpBytes, brotli } = rollup.rulesAt(below.origin().timestamp).channels;
    const compression = channelCompression(channel);
    if (compression === null || (compression === 'brotli' && !brotli)) {
      log?.('warn', 'dropped a channel of a compression that is not allowed', {
        compression: compression ?? 'unknown',
      });
      return null;
    }
    const compressed = compression === 'brotli' ? channel.subarray(1) : channel;
    try {
      const plain = await decompress[compression](compressed, maxRlpBytes);
      return channelBatches(plain.subarray(0, maxRlpBytes));
    } catch (error) {
      log?.('warn', 'dropped a channel that does not decompress', { compression, reason: String(error) });
      return null;
    }
  };

  const layOut = (batch: Batch): ReadBatch | null => {
    if (batch.kind === 'singular') return batch;
    if (!rollup.rulesAt(below.origin().timestamp).batches.span) {
      log?.('warn', 'dropped a span batch, the rules at its L1 block know none');
      return null;
    }
    try {
      return { kind: 'span', batch: spanBatchOf(batch.batch, chain) };
    } catch (error) {
      log?.('warn', 'dropped a span batch whose transactions cannot be put together', { reason: String(error) });
      return null;
    }
  };

  return {
    origin: () => below.origin(),
    async nextBatch() {
      if (batches === null) {
        const channel = await below.nextChannel();
        if (typeof channel === 'string') return channel;
        batches = await open(channel);
        if (batches === null) return 'more';
      }
      const batch = nextOf(batches, (reason) => log?.('warn', 'dropped the rest of a channel', { reason }));
      if (batch === null) {
        batches = null;
        return 'more';
      }
      return layOut(batch) ?? 'more';
    },
    flush() {
      batches = null;
      below.flush();
    },
    reset() {
      batches = null;
    },
  };
}

function nextOf(batches: Iterator<Uint8Array, void>, onMalformed: (reason: string) => void): Batch | null {
  try {
    const next = batches.next();
    return next.done ? null : decodeBatch(next.value);
  } catch (error) {
    onMalformed(String(error));
    return null;
  }
}
