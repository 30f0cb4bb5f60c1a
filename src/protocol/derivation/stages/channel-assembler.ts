import type { DerivationLog, Rollup } from '../ports.ts';
import { type Channel, createChannel, isTimedOut } from './channel.ts';
import type { ChannelStage, FrameProvider } from './channel-bank.ts';

/**
 * Assembles one channel at a time from frames in strict order (op-node, kona: `ChannelAssembler`).
 * A first frame replaces an unfinished channel. Specification: holocene, Channel Bank.
 */
export function createChannelAssembler(rollup: Rollup, below: FrameProvider, log?: DerivationLog): ChannelStage {
  let staging: Channel | null = null;

  return {
    async nextChannel() {
      if (staging !== null && isTimedOut(rollup, staging, below)) {
        log?.('info', 'channel timed out', { channel: staging.id, openBlock: staging.openBlock });
        staging = null;
      }
      const frame = await below.nextFrame();
      if (typeof frame === 'string') return frame;

      const origin = below.origin();
      if (frame.number === 0) staging = createChannel(frame.channelId, origin.number, true);
      if (staging === null || !staging.addFrame(frame)) {
        log?.('warn', 'dropped a frame that does not continue its channel', {
          channel: frame.channelId,
          frame: frame.number,
        });
        return 'more';
      }
      if (staging.size() > rollup.rulesAt(origin.timestamp).channels.maxRlpBytes) {
        log?.('warn', 'dropped an oversized channel', { channel: frame.channelId, size: staging.size() });
        staging = null;
        return 'more';
      }
      if (!staging.isReady()) return 'more';
      const data = staging.data();
      staging = null;
      return data;
    },
    flush() {
      staging = null;
    },
  };
}
