import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, expect, it } from 'vitest';
import { addressesOf } from '../../../../src/nodes/gossip/host/connections.ts';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { rawHost } from '../support.ts';

const running: Host[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((host) => host.stop()));
});

async function host(name: string): Promise<Host> {
  const started = await rawHost(name);
  running.push(started);
  return started;
}

it('a host knows the addresses of a connected peer only if it dialled that peer', async () => {
  const [dialling, dialled, stranger] = [await host('dialling'), await host('dialled'), await host('stranger')];
  const address = String(dialled.getMultiaddrs()[0]);
  await dialling.dial(multiaddr(address));
  expect(addressesOf(dialling, dialled.peerId)).toEqual([address]);
  // The port of an accepted connection is no port that its peer listens on.
  await expect.poll(() => dialled.getConnections(dialling.peerId).length).toBe(1);
  expect(addressesOf(dialled, dialling.peerId)).toBeUndefined();
  expect(addressesOf(dialling, stranger.peerId)).toBeUndefined();
});
