import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyFromRaw } from '@libp2p/crypto/keys';
import { peerIdFromPrivateKey } from '@libp2p/peer-id';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_METER } from '../../../../src/nodes/gossip/host/meter.ts';
import { PeerBook } from '../../../../src/nodes/gossip/peers/peer-book.ts';
import { NO_REQ_RESP_SCORES } from '../../../../src/nodes/gossip/requests/application-score.ts';
import { memoryLog } from '../../batcher/helpers.ts';
import { keyNamed } from '../blocks.ts';

const NOW = 1_800_000_000_000;
const peerNamed = (name: string) => peerIdFromPrivateKey(privateKeyFromRaw(keyNamed(name))).toString();
const [ONE, TWO] = [peerNamed('one'), peerNamed('two')];

let folder: string;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  folder = mkdtempSync(join(tmpdir(), 'peer-book-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Opens the book of a file. `events` has the changes of its gate and the bans that ended. */
function opened(storePath: string | undefined = join(folder, 'peers.json'), netRestrict: readonly string[] = []) {
  const events: string[] = [];
  const { log, lines } = memoryLog();
  const book = new PeerBook({
    ...{ storePath, key: keyNamed('own'), netRestrict, log },
    meter: { ...NO_METER, unban: (kind) => void events.push(`unban ${kind}`) },
    onGateChange: () => void events.push('gate'),
  });
  return { book, events, lines };
}
/** Opens the book again that was written by now. */
const reopened = () => opened().book;
/** Lets the time pass after which a book is written. */
const written = () => vi.advanceTimersByTime(500);

describe('the book of peers', () => {
  it('has the addresses of peers, and the next run has them with the counts of their answers', () => {
    const { book } = opened();
    book.setAddresses(ONE, ['/ip4/10.0.0.1/tcp/1', '/ip4/10.0.0.1/tcp/2']);
    book.setAddresses(TWO, ['/ip4/10.0.0.2/tcp/1']);
    book.setAddresses(TWO, ['/ip4/10.0.0.2/tcp/2']);
    book.scorer.count(TWO, 'validResponses');
    const addresses = [
      [ONE, ['/ip4/10.0.0.1/tcp/1', '/ip4/10.0.0.1/tcp/2']],
      [TWO, ['/ip4/10.0.0.2/tcp/2']],
    ];
    expect([...book.addresses]).toEqual(addresses);
    book.save();
    written();
    const again = reopened();
    expect([...again.addresses]).toEqual(addresses);
    expect(again.scorer.of(ONE)).toEqual(NO_REQ_RESP_SCORES);
    expect(again.scorer.of(TWO)).toEqual({ ...NO_REQ_RESP_SCORES, validResponses: 1 });
    again.remove(ONE);
    expect([...again.addresses.keys()]).toEqual([TWO]);
  });

  it('takes a node record once, with its address, and a newer one again', () => {
    const { book } = opened();
    const node = { id: ONE, enr: 'enr:-1', chainId: 901, ip: '10.0.0.1', address: '/ip4/10.0.0.1/tcp/1' };
    const newer = { ...node, enr: 'enr:-2', address: '/ip4/10.0.0.1/tcp/2' };
    expect(book.record(ONE)).toBeUndefined();
    expect([book.addRecord(node), book.addRecord({ ...node, address: 'other' })]).toEqual([true, false]);
    expect([book.record(ONE), book.addresses.get(ONE)]).toEqual([node, [node.address]]);
    expect([book.addRecord(newer), book.addRecord(newer)]).toEqual([true, false]);
    expect([book.record(ONE), book.record(TWO)]).toEqual([newer, undefined]);
    written();
    expect([...reopened().addresses]).toEqual([[ONE, [newer.address]]]);
  });

  it('bans a peer until a time, which the next run knows, and says when the ban is over', () => {
    const { book, events, lines } = opened();
    book.ban(ONE, NOW + 2000);
    expect([events, book.bannedPeers(), book.gater.allows(ONE, undefined)]).toEqual([['gate'], [ONE], false]);
    written();
    expect(reopened().bannedPeers()).toEqual([ONE]);
    vi.setSystemTime(NOW + 2000);
    expect([book.bannedPeers(), book.gater.allows(ONE, undefined)]).toEqual([[], true]);
    expect(events).toEqual(['gate', 'unban peer']);
    expect(lines).toEqual([expect.stringContaining(`the ban of a peer is over" peer=${ONE}`)]);
  });

  it('blocks peers, addresses and subnets, which the next run knows, and lists a peer once', () => {
    const { book, events } = opened();
    book.gater.blockPeer(ONE);
    book.ban(ONE, NOW + 1000);
    book.ban(TWO, NOW + 1000);
    book.gater.blockAddress('10.0.0.7');
    book.gater.blockSubnet('10.9.0.0/16');
    expect(events).toEqual(Array(5).fill('gate'));
    written();
    for (const { bannedPeers, gater } of [book, reopened()].map((each) => ({
      bannedPeers: each.bannedPeers(),
      gater: each.gater,
    })))
      expect([bannedPeers, gater.blockedPeers(), gater.blockedAddresses(), gater.blockedSubnets()]).toEqual([
        [ONE, TWO],
        [ONE],
        ['10.0.0.7'],
        ['10.9.0.0/16'],
      ]);
  });

  it('calls for the changes of its gate before it is stored', () => {
    const path = join(folder, 'peers.json');
    const seen: unknown[] = [];
    const book: PeerBook = new PeerBook({
      ...{ storePath: path, key: keyNamed('own'), netRestrict: [], meter: NO_METER, log: memoryLog().log },
      onGateChange: () => {
        seen.push(book.bannedPeers());
        book.setAddresses(ONE, ['/ip4/10.0.0.1/tcp/1']);
      },
    });
    book.ban(ONE, NOW + 1000);
    book.close();
    expect(seen).toEqual([[ONE]]);
    expect([...reopened().addresses.keys()]).toEqual([ONE]);
  });

  it('writes its changes when it closes', () => {
    const { book } = opened();
    book.ban(ONE, NOW + 1000);
    book.close();
    expect(reopened().bannedPeers()).toEqual([ONE]);
  });

  it('lets in the peers of the subnets of its restriction alone', () => {
    const { book } = opened(undefined, ['10.0.0.0/8']);
    expect([book.gater.allows(ONE, '10.1.1.1'), book.gater.allows(ONE, '11.1.1.1')]).toEqual([true, false]);
  });
});
