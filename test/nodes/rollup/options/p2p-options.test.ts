import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ENR } from '@chainsafe/enr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/devnet.ts';
import { RollupNodes, type RunningNode } from '../support/process.ts';
import { TestRouter } from '../support/router.ts';

const REQUESTS = '/opstack/req/payload_by_number/901/0';

describe('options of the peer network, as processes have them', () => {
  let nodes: RollupNodes;
  beforeAll(() => {
    nodes = new RollupNodes();
  });
  afterAll(() => nodes[Symbol.asyncDispose]());

  it('--p2p.advertise.ip, --p2p.advertise.tcp, --p2p.advertise.udp, --p2p.sync.req-resp: are advertised', async () => {
    const [advertising, plain] = await Promise.all([
      nodes.start('shown', [
        '--p2p.no-discovery=false',
        '--p2p.listen.udp=0',
        '--p2p.advertise.ip=10.1.2.3',
        '--p2p.advertise.tcp=7777',
        '--p2p.advertise.udp=7778',
        '--p2p.sync.req-resp=false',
      ]),
      nodes.start('plain'),
    ]);
    await Promise.all([advertising.address(), plain.address()]);
    const [self, other] = await Promise.all([advertising.call('opp2p_self'), plain.call('opp2p_self')]);
    expect(self.addresses).toEqual([`/ip4/10.1.2.3/tcp/7777/p2p/${self.peerID}`]);
    const record = ENR.decodeTxt(self.ENR);
    expect([record.ip, record.tcp, record.udp]).toEqual(['10.1.2.3', 7777, 7778]);
    expect(await advertising.call('opp2p_discoveryTable')).toEqual([]);
    expect(self.protocols).not.toContain(REQUESTS);
    expect(other.protocols).toContain(REQUESTS);
    expect([other.ENR, other.addresses[0]]).toEqual(['', expect.stringMatching(/^\/ip4\/127\.0\.0\.1\/tcp\//)]);
  });

  it('--p2p.nat, --p2p.nat.gateway: maps a port on that router and advertises its address', async () => {
    await using router = await TestRouter.start({ ip: '5.6.7.8', port: 4001 });
    await using refusing = await TestRouter.start();
    const [plain, behind, deaf, refused] = await Promise.all([
      nodes.start('plain', []),
      nodes.start('behind', ['--p2p.nat', `--p2p.nat.gateway=${router.url}`]),
      nodes.start('deaf', ['--p2p.nat', `--p2p.nat.gateway=${router.url}`, '--p2p.listen.ip=127.0.0.2']),
      nodes.start('refused', ['--p2p.nat', `--p2p.nat.gateway=${refusing.url}`]),
    ]);
    const logLine = (node: RunningNode, text: string) => eventually(async () => node.logged(text)[0]);
    const port = await behind.listens('p2p listens');
    const { mapping } = await logLine(behind, 'a router forwards a port to this node');
    expect(mapping).toBe(`5.6.7.8:4001 to 127.0.0.1:${port}`);
    const { addresses, peerID } = await behind.call('opp2p_self');
    expect(addresses).toEqual([`/ip4/127.0.0.1/tcp/${port}/p2p/${peerID}`, `/ip4/5.6.7.8/tcp/4001/p2p/${peerID}`]);
    expect((await logLine(deaf, 'no router forwards a port to this node'))['reason']).toContain(
      'but --p2p.listen.ip is 127.0.0.2',
    );
    expect((await logLine(refused, 'no router forwards a port to this node'))['reason']).toContain(
      '606 - Action not authorized',
    );
    expect((await refused.call('opp2p_self')).addresses).toHaveLength(1);
    const tcpPort = await plain.listens('p2p listens');
    const { addresses: alone, peerID: plainID } = await plain.call('opp2p_self');
    expect(alone).toEqual([`/ip4/127.0.0.1/tcp/${tcpPort}/p2p/${plainID}`]);
    expect([...plain.logged('a router forwards'), ...plain.logged('no router forwards')]).toEqual([]);
    expect(router.requests).toEqual([
      {
        RemoteHost: '',
        ExternalPort: String(port),
        Protocol: 'TCP',
        InternalPort: String(port),
        InternalClient: '127.0.0.1',
        Enabled: '1',
        PortMappingDescription: expect.stringContaining('rollup-node/'),
        LeaseDuration: '3600',
      },
    ]);
  });

  it('--p2p.priv.path: the peer id is that of the key there, which is created if absent', async () => {
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
});
