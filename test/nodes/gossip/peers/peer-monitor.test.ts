import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { NO_METER } from '../../../../src/nodes/gossip/host/meter.ts';
import { PeerBook } from '../../../../src/nodes/gossip/peers/peer-book.ts';
import { type BanPolicy, startPeerMonitor } from '../../../../src/nodes/gossip/peers/peer-monitor.ts';
import { memoryLog } from '../../batcher/helpers.ts';
import { keyNamed } from '../blocks.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => vi.useRealTimers());

/** Monitors peers with these scores. */
function monitoring(scores: Readonly<Record<string, number>>, ban: BanPolicy | undefined, trusted: string[] = []) {
  const { log, lines } = memoryLog();
  const options = { storePath: undefined, key: keyNamed('own'), netRestrict: [], meter: NO_METER };
  const book = new PeerBook({ ...options, onGateChange: () => undefined, log });
  const pubsub = { score: {}, getScore: (id: string) => scores[id] };
  const host = { getPeers: () => Object.keys(scores), services: { pubsub } } as unknown as Host;
  const isTrusted = (id: string) => trusted.includes(id);
  const stop = startPeerMonitor(host, book, { ban, decayInterval: 2000, isTrusted, log });
  return { book, lines, stop };
}
const POLICY = { threshold: -100, durationMs: 5000 };

describe('the monitor of peers', () => {
  it('bans each peer below the threshold that is not trusted, and says so', () => {
    const scores = { high: 1, at: -100, below: -100.5, trusted: -1000, far: -500 };
    const { book, lines } = monitoring(scores, POLICY, ['trusted']);
    vi.advanceTimersByTime(999);
    expect(book.bannedPeers()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(book.bannedPeers()).toEqual(['below', 'far']);
    expect(lines).toEqual([
      expect.stringContaining('a peer is banned for its score" peer=below score=-100.5 threshold=-100'),
      expect.stringContaining('peer=far score=-500 threshold=-100'),
    ]);
  });

  it('bans a peer for the time of the policy', () => {
    const { book, stop } = monitoring({ low: -101 }, POLICY);
    vi.advanceTimersByTime(1000);
    stop();
    vi.advanceTimersByTime(4999);
    expect(book.bannedPeers()).toEqual(['low']);
    vi.advanceTimersByTime(1);
    expect(book.bannedPeers()).toEqual([]);
  });

  it('bans no peer without a policy', () => {
    const { book } = monitoring({ low: -1000 }, undefined);
    vi.advanceTimersByTime(10_000);
    expect(book.bannedPeers()).toEqual([]);
  });

  it('decays the counts of answers at its interval, until it stops', () => {
    const { book, stop } = monitoring({}, undefined);
    book.scorer.count('a', 'validResponses');
    const count = () => book.scorer.of('a').validResponses;
    vi.advanceTimersByTime(1999);
    expect(count()).toBe(1);
    vi.advanceTimersByTime(1);
    const decayed = count();
    expect(decayed).toBeLessThan(1);
    vi.advanceTimersByTime(2000);
    expect(count()).toBeLessThan(decayed);
    const last = count();
    stop();
    vi.advanceTimersByTime(10_000);
    expect(count()).toBe(last);
  });

  it('does not keep its process running', () => {
    vi.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const { stop } = monitoring({}, POLICY);
    expect(timers()).toBe(before);
    stop();
  });
});
