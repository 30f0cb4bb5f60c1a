import { httpGet } from '../../rpc/http-rest.ts';
import { messageOf } from '../../system/failure.ts';
import { matches } from './expect.ts';
import { type Check, mismatch, unreachable } from './probe.ts';

/** A resource answers with this status, and its JSON holds these values. */
export const http: Check<'http'> = async ({ probe, timeoutMs }) => {
  try {
    const { status, text } = await httpGet(probe.url, { timeoutMs, maxBytes: 1_000_000 });
    if (status !== probe.status) return mismatch(`answers HTTP ${status}, expected ${probe.status}`);
    if (Object.keys(probe.expect).length === 0) return { kind: 'ok' };
    try {
      return matches(JSON.parse(text), probe.expect);
    } catch {
      return mismatch(`answers ${JSON.stringify(text.slice(0, 60))}, expected JSON`);
    }
  } catch (error) {
    return unreachable(messageOf(error));
  }
};
