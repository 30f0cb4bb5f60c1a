import { messageOf } from '../../../system/failure.ts';
import { clientFor } from '../call.ts';
import { mismatch, OK, probeKind, unreachable } from '../probe.ts';

/** The chain has at least this many blocks above genesis. */
export const height = probeKind({
  name: 'height',
  written: ({ z, withDescription, key }) => ({
    height: withDescription(z.string('text'), 'URL of an execution client'),
    atLeast: key(z.int(), 'its least block number (default 1)'),
  }),
  plan: ({ height: url, atLeast = 1, description = 'has blocks' }, { text }) => ({
    kind: 'height' as const,
    url: text(url),
    atLeast,
    description,
  }),
  async check({ probe, signal, timeoutMs }) {
    try {
      const answer = await clientFor(probe.url).call<string>('eth_blockNumber', [], { signal, timeoutMs });
      const height = Number(answer);
      return height >= probe.atLeast ? OK : mismatch(`is at block ${height}, expected ${probe.atLeast}`);
    } catch (error) {
      return unreachable(messageOf(error));
    }
  },
});
