import type { Frame } from '../../codec/frame.ts';
import type { DerivationLog, Rollup } from '../ports.ts';
import { type Channel, createChannel, isTimedOut } from './channel.ts';
import type { HasOrigin, Pulled } from './stage.ts';

/** The part of the frame queue that the channel stages call (op-node, kona: `NextFrameProvider`). */
export interface FrameProvider extends HasOrigin {
  nextFrame(): Promise<Pulled<Frame>>;
}

/**
 * Stage 4: whole compressed channels (op-node: `RawChannelProvider`, kona: `ChannelReaderProvider`).
 * The rules at the L1 origin choose one of two implementations: {@link createChannelBank} and `createChannelAssembler`.
 */
export interface ChannelStage {
  /** Returns the next whole channel (op-node: `NextRawChannel`). */
  nextChannel(): Promise<Pulled<Uint8Array>>;
  /** Drops the unfinished channel. */
  flush(): void;
}

/**
 * Assembles several channels at once from frames in any order (op-node, kona: `ChannelBank`).
 * The channel opened first is read first. Specification: Channel Bank.
 */
export function createChannelBank(rollup: Rollup, below: FrameProvider, log?: DerivationLog): ChannelStage {
  /** In the order of their opening. */
  const channels = new Map<Frame['channelId'], Channel>();
  const rules = () => rollup.rulesAt(below.origin().timestamp).channels;

  const read = (): Uint8Array | 'timed-out' | null => {
    const { readAnyReady } = rules();
    for (const channel of channels.values()) {
      // A channel behind the first was opened no earlier, so it is not reached before the first is gone.
      if (isTimedOut(rollup, channel, below)) {
        log?.('info', 'channel timed out', { channel: channel.id, openBlock: channel.openBlock });
        channels.delete(channel.id);
        return 'timed-out';
      }
      if (channel.isReady()) {
        channels.delete(channel.id);
        return channel.data();
      }
      if (!readAnyReady) return null;
    }
    return null;
  };

  const prune = (): void => {
    let total = 0;
    for (const channel of channels.values()) total += channel.size();
    for (const channel of channels.values()) {
      if (total <= rules().maxBankBytes) return;
      channels.delete(channel.id);
      total -= channel.size();
      log?.('warn', 'dropped a channel, the channel bank is full', { channel: channel.id, size: channel.size() });
    }
  };

  const ingest = (frame: Frame): void => {
    const channel = channels.get(frame.channelId) ?? createChannel(frame.channelId, below.origin().number, false);
    channels.set(frame.channelId, channel);
    if (isTimedOut(rollup, channel, below) || !channel.addFrame(frame)) {
      log?.('warn', 'dropped a frame', { channel: frame.channelId, frame: frame.number });
      return;
    }
    prune();
  };

  return {
    async nextChannel() {
      const data = read();
      if (data === 'timed-out') return 'more';
      if (data !== null) return data;
      const frame = await below.nextFrame();
      if (typeof frame === 'string') return frame;
      ingest(frame);
      return 'more';
    },
    flush() {},
  };
}
