import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { banBook } from '../../../../src/nodes/gossip/host/bans.ts';
import { listenPort } from '../../../../src/nodes/gossip/host/connections.ts';
import { createGater } from '../../../../src/nodes/gossip/host/gater.ts';
import { startHost } from '../../../../src/nodes/gossip/host/host.ts';
import { NO_METER } from '../../../../src/nodes/gossip/host/meter.ts';
import { keyNamed } from '../blocks.ts';
import { until } from '../support.ts';

it('a host counts a handshake from the connection of the other side to its end', async () => {
  const bans = banBook([], () => undefined);
  const blocked = { peers: [], addresses: [], subnets: [] };
  const host = await startHost({
    key: keyNamed('host'),
    chainId: 901,
    listenIp: '127.0.0.1',
    listenPort: 0,
    advertise: undefined,
    maxConnections: 10,
    scoring: undefined,
    userAgent: 'test',
    gater: createGater({ within: [], blocked, bans, meter: NO_METER, onChange: () => undefined }),
  });
  const { handshakes } = host.services;
  expect(handshakes.inbound()).toBe(0);
  const silentPeer = connect(listenPort(host.getMultiaddrs().map(String)), '127.0.0.1');
  await until(() => handshakes.inbound() === 1);
  silentPeer.destroy();
  await until(() => handshakes.inbound() === 0);
  await host.stop();
});
