import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ENR } from '@chainsafe/enr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './support/devnet.ts';
import { NodeProcesses } from './support/process.ts';

const REQUESTS = '/opstack/req/payload_by_number/901/0';

describe('options of the peer network and the log, as processes have them', () => {
  let nodes: NodeProcesses;
  beforeAll(() => {
    nodes = new NodeProcesses();
  });
  afterAll(() => nodes[Symbol.asyncDispose]());

  it('tell peers the addresses of p2p.advertise.*, and answer requests with p2p.sync.req-resp only', async () => {
    const [shown, plain] = await Promise.all([
      nodes.start('shown', [
        '--p2p.no-discovery=false',
        '--p2p.listen.udp=0',
        '--p2p.advertise.ip=10.1.2.3',
        '--p2p.advertise.tcp=7777',
        '--p2p.advertise.udp=7778',
        '--p2p.sync.req-resp=false',
        '--log.pid',
      ]),
      nodes.start('plain'),
    ]);
    await Promise.all([shown.address(), plain.address()]);
    const [self, other] = await Promise.all([shown.call('opp2p_self'), plain.call('opp2p_self')]);
    expect(self.addresses).toEqual([`/ip4/10.1.2.3/tcp/7777/p2p/${self.peerID}`]);
    const record = ENR.decodeTxt(self.ENR);
    expect([record.ip, record.tcp, record.udp]).toEqual(['10.1.2.3', 7777, 7778]);
    expect(await shown.call('opp2p_discoveryTable')).toEqual([]);
    expect(self.protocols).not.toContain(REQUESTS);
    expect(other.protocols).toContain(REQUESTS);
    expect([other.ENR, other.addresses[0]]).toEqual(['', expect.stringMatching(/^\/ip4\/127\.0\.0\.1\/tcp\//)]);
    expect(shown.logged('rollup node')[0]?.['pid']).toBe(shown.child.pid);
    expect(plain.logged('rollup node')[0]?.['pid']).toBeUndefined();
  });

  it('keep the peer id of the key in p2p.priv.path, which is made where it is absent', async () => {
    const path = join(nodes.folder, 'network-key');
    const first = await nodes.start('first', [`--p2p.priv.path=${path}`]);
    await first.address();
    const { peerID } = await first.call('opp2p_self');
    await first.stop();
    expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = await nodes.start('second', [`--p2p.priv.path=${path}`]);
    await second.address();
    expect((await second.call('opp2p_self')).peerID).toBe(peerID);
  });

  it.each([
    ['--log.format=logfmt', /^t=\S+ lvl=info msg="rollup node" /],
    ['--log.format=terminal', /^INFO {2}\[[\d:.]+\] rollup node /],
    ['--log.format=text', /^t=\S+ lvl=info msg="rollup node" /],
  ])('log as %s says', async (option, line) => {
    const node = nodes.spawn('logging', [option]);
    await eventually(async () => node.lines.some((text) => line.test(text)) || undefined);
    await node[Symbol.asyncDispose]();
  });

  it('log nothing below log.level', async () => {
    const path = join(nodes.folder, 'quiet-key');
    const quiet = nodes.spawn('quiet', ['--log.level=error', `--p2p.priv.path=${path}`]);
    // The key is made after the node has told its ports.
    await eventually(async () => existsSync(path) || undefined);
    expect(quiet.lines).toEqual([]);
  });
});
