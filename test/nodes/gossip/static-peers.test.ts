import { createHash } from 'node:crypto';
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys';
import { peerIdFromPrivateKey } from '@libp2p/peer-id';
import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Dialer, keepConnected } from '../../../src/nodes/gossip/static-peers.ts';
import { silent } from './blocks.ts';

const idOf = async (name: string) =>
  peerIdFromPrivateKey(await generateKeyPairFromSeed('Ed25519', createHash('sha256').update(name).digest()));
const [first, second] = [await idOf('one'), await idOf('two')];
const [smaller, larger] = first.toString() < second.toString() ? [first, second] : [second, first];
const address = multiaddr('/ip4/127.0.0.1/tcp/1');

/** A host whose dials are refused, and their times (ms). */
class RefusedDials {
  readonly times: number[] = [];
  readonly #began = Date.now();
  readonly dialer: Dialer;
  isConnected = false;
  isAccepting = false;

  constructor(self: Dialer['self'], missing: number) {
    this.dialer = {
      self,
      isConnected: () => this.isConnected,
      missing: () => missing,
      isAccepting: () => this.isAccepting,
      dial: async () => {
        this.times.push(Date.now() - this.#began);
        throw new Error('refused');
      },
      disconnected: () => new Promise(() => undefined),
    };
  }
}

const end = new AbortController();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a static peer', () => {
  it('is dialled at once by the node with the smaller id, and after a delay by the other', async () => {
    const dials = [new RefusedDials(smaller, 1), new RefusedDials(larger, 1), new RefusedDials(larger, 11)] as const;
    void keepConnected({ id: larger, address }, dials[0].dialer, silent, end.signal);
    void keepConnected({ id: smaller, address }, dials[1].dialer, silent, end.signal);
    void keepConnected({ id: smaller, address }, dials[2].dialer, silent, end.signal);
    await vi.advanceTimersByTimeAsync(3000);
    expect(dials.map(({ times }) => times[0])).toEqual([0, 60, 1560]);
  });

  it('is not dialled while a dial of its own may be under way', async () => {
    const dials = new RefusedDials(larger, 1);
    dials.isAccepting = true;
    void keepConnected({ id: smaller, address }, dials.dialer, silent, end.signal);
    await vi.advanceTimersByTimeAsync(1000);
    dials.isConnected = true;
    dials.isAccepting = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(dials.times).toEqual([]);
  });

  it('is dialled at last when other handshakes never end', async () => {
    const dials = new RefusedDials(larger, 1);
    dials.isAccepting = true;
    void keepConnected({ id: smaller, address }, dials.dialer, silent, end.signal);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(dials.times).toHaveLength(1);
  });

  it('is dialled again more seldom the more peers are missing', async () => {
    const [alone, oneOfMany] = [new RefusedDials(smaller, 1), new RefusedDials(smaller, 21)];
    void keepConnected({ id: larger, address }, alone.dialer, silent, end.signal);
    void keepConnected({ id: larger, address }, oneOfMany.dialer, silent, end.signal);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(alone.times.slice(0, 3)).toEqual([0, 20, 40]);
    expect(oneOfMany.times).toEqual([0, 5000, 10_000]);
  });
});
