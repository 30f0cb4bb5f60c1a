import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPeerStore, type PeerStoreContent } from '../../../../src/nodes/gossip/peers/peer-store.ts';
import { createLogger } from '../../../../src/system/program/log.ts';

const log = createLogger({ level: 'error', format: 'text', color: false, pid: false });
const key = new Uint8Array(32).fill(7);
const EMPTY = { peers: [], bans: [], blocked: { peers: [], addresses: [], subnets: [] } };
const content: PeerStoreContent = {
  peers: [
    {
      id: 'a',
      addresses: ['/ip4/127.0.0.1/tcp/1'],
      requests: { validResponses: 0.5, errorResponses: 0, rejectedPayloads: 1 },
    },
  ],
  bans: [{ id: 'b', until: 1_800_000_000_000 }],
  blocked: { peers: ['c'], addresses: ['10.0.0.1'], subnets: ['10.0.0.0/8'] },
};
const stored = { privateKey: '07'.repeat(32), ...content };

let folder: string;
let path: string;
beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'peers-'));
  path = join(folder, 'peers.json');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});
const written = () =>
  statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : JSON.parse(readFileSync(path, 'utf8'));

describe('the peer store', () => {
  it('writes the last of several changes after half a second, for its owner alone, and the next run reads it', () => {
    const store = openPeerStore(path, key, log);
    expect(store.content).toEqual(EMPTY);
    const first = vi.fn(() => EMPTY as PeerStoreContent);
    store.save(first);
    vi.advanceTimersByTime(300);
    store.save(() => content);
    vi.advanceTimersByTime(199);
    expect(written()).toBe(undefined);
    vi.advanceTimersByTime(1);
    expect(written()).toEqual(stored);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(first).not.toHaveBeenCalled();
    expect(openPeerStore(path, key, log).content).toEqual(stored);
    store.save(() => EMPTY as PeerStoreContent);
    vi.advanceTimersByTime(500);
    expect(written()).toEqual({ privateKey: stored.privateKey, ...EMPTY });
  });

  it('writes a change at once when it closes, and no change twice', () => {
    const store = openPeerStore(path, key, log);
    store.close();
    expect(written()).toBe(undefined);
    store.save(() => content);
    store.close();
    expect(written()).toEqual(stored);
    rmSync(path);
    vi.advanceTimersByTime(1000);
    store.close();
    expect(written()).toBe(undefined);
  });

  it('keeps nothing without a path', () => {
    const store = openPeerStore(undefined, key, log);
    const change = vi.fn(() => content);
    store.save(change);
    store.close();
    vi.advanceTimersByTime(1000);
    expect(store.content).toEqual(EMPTY);
    expect(change).not.toHaveBeenCalled();
  });

  it('logs that it cannot write, and goes on', () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
    const store = openPeerStore(path, key, log);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    store.save(() => content);
    expect(() => store.close()).not.toThrow();
    expect(warn).toHaveBeenCalledWith('cannot write the peer store', { path, error: expect.anything() });
  });

  it.each([
    ['no JSON', 'a'],
    ['a short key', JSON.stringify({ ...stored, privateKey: '07' })],
    ['a key with more behind it', JSON.stringify({ ...stored, privateKey: `${stored.privateKey}0` })],
    [
      'a count below zero',
      JSON.stringify({
        ...stored,
        peers: [{ ...content.peers[0], requests: { validResponses: -1, errorResponses: 0, rejectedPayloads: 0 } }],
      }),
    ],
    ['no bans', JSON.stringify({ ...stored, bans: undefined })],
    ['a ban without a time', JSON.stringify({ ...stored, bans: [{ id: 'b' }] })],
    ['a list of numbers', JSON.stringify({ ...stored, blocked: { ...content.blocked, peers: [1] } })],
  ])('refuses a file with %s', (_, text) => {
    writeFileSync(path, text);
    expect(() => openPeerStore(path, key, log)).toThrow(
      expect.objectContaining({
        code: 'peer-store',
        data: { path },
        message: expect.stringContaining(`${path} is not a file of peers: `),
        hint: 'delete it, or name another with --p2p.peerstore.path; `memory` keeps none',
      }),
    );
  });

  it.each(['', ' \n'])('begins anew with an empty file: %j', (text) => {
    writeFileSync(path, text);
    expect(openPeerStore(path, key, log).content).toEqual(EMPTY);
  });
});
