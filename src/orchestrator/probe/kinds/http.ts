import { httpGet } from '../../../rpc/client/http-rest.ts';
import { messageOf } from '../../../system/failure.ts';
import { expectKey, matches, planExpect } from '../expect.ts';
import { mismatch, OK, probeKind, unreachable } from '../probe.ts';

/** Partial content (a beacon node that syncs) and service unavailable. */
const STARTING: ReadonlySet<number> = new Set([206, 503]);

/** A resource answers with this status, and its JSON holds these values. */
export const http = probeKind({
  name: 'http',
  written: (words) => ({
    http: words.withDescription(words.z.string('text'), 'URL that is fetched'),
    status: words.key(words.z.int(), 'the status of the answer (default 200)'),
    expect: expectKey(words),
  }),
  plan: ({ http: url, status = 200, expect: expected, description = 'answers over HTTP' }, context) => ({
    kind: 'http' as const,
    url: context.text(url),
    status,
    expect: planExpect(expected, context),
    description,
  }),
  async check({ probe, timeoutMs }) {
    try {
      const { status, text } = await httpGet(probe.url, { timeoutMs, maxBytes: 1_000_000 });
      if (status !== probe.status) {
        // A health endpoint answers so while its process starts. No other program is at its port.
        const verdict = STARTING.has(status) ? unreachable : mismatch;
        return verdict(`answers HTTP ${status}, expected ${probe.status}`);
      }
      if (Object.keys(probe.expect).length === 0) return OK;
      try {
        return matches(JSON.parse(text), probe.expect);
      } catch {
        return mismatch(`answers ${JSON.stringify(text.slice(0, 60))}, expected JSON`);
      }
    } catch (error) {
      return unreachable(messageOf(error));
    }
  },
});
