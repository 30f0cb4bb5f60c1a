import { afterEach, describe, expect, it } from 'vitest';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { readStream } from '../../../../src/nodes/gossip/requests/block-protocol.ts';
import { type Ping, startPing } from '../../../../src/nodes/gossip/requests/ping.ts';
import { concatAll } from '../../../../src/protocol/bytes.ts';
import { rawHost, until } from '../support.ts';

const PROTOCOL = '/ipfs/ping/1.0.0';
const running: Host[] = [];
const stopping: AbortController[] = [];
afterEach(async () => {
  for (const one of stopping.splice(0)) one.abort();
  for (const host of running.splice(0)) await host.stop();
});

async function hostNamed(name: string): Promise<Host> {
  const host = await rawHost(`ping-${name}`);
  running.push(host);
  return host;
}
async function pinging(name: string): Promise<{ host: Host; ping: Ping }> {
  const host = await hostNamed(name);
  const controller = new AbortController();
  stopping.push(controller);
  return { host, ping: await startPing(host, controller.signal) };
}
const dial = (from: Host, to: Host) => from.dial(to.getMultiaddrs()[0]!);

describe('the latency of a peer', () => {
  it('is measured on both sides once they are connected, and forgotten when they are not', async () => {
    const [one, two] = [await pinging('one'), await pinging('two')];
    const between = () => [one.ping.latency(two.host.peerId.toString()), two.ping.latency(one.host.peerId.toString())];
    expect(between()).toEqual([0, 0]);
    const connection = await dial(one.host, two.host);
    await until(() => between().every((latency) => latency > 0));
    // Nanoseconds: no round trip of this machine takes less than one microsecond, or ten seconds.
    for (const latency of between())
      expect(latency).toSatisfy((took) => Number.isInteger(took) && took > 1e3 && took < 1e10);
    await connection.close();
    await until(() => between().every((latency) => latency === 0));
  });

  it('is unknown for a peer that answers something else, which stays connected', async () => {
    const [one, two] = [await pinging('one'), await hostNamed('other')];
    let answered = 0;
    await two.handle(PROTOCOL, async (stream) => {
      await readStream(stream, { most: 32, enough: 32 }, AbortSignal.timeout(15_000));
      stream.send(new Uint8Array(32));
      answered++;
      await stream.close();
    });
    await dial(one.host, two);
    await until(() => answered > 0);
    await until(() =>
      two.getConnections().every(({ streams }) => streams.every(({ protocol }) => protocol !== PROTOCOL)),
    );
    expect([one.ping.latency(two.peerId.toString()), one.host.getPeers().length]).toEqual([0, 1]);
  });

  it('is unknown for a peer that does not answer pings', async () => {
    const [one, two] = [await pinging('one'), await hostNamed('silent')];
    await dial(one.host, two);
    await until(async () => (await one.host.peerStore.get(two.peerId)).protocols.length > 0);
    expect(one.ping.latency(two.peerId.toString())).toBe(0);
  });
});

it('a ping is answered with its bytes, however they are cut, until it ends', async () => {
  const [one, two] = [await pinging('one'), await hostNamed('client')];
  await dial(two, one.host);
  const stream = await two.dialProtocol(one.host.peerId, PROTOCOL);
  const sent = [Uint8Array.of(1, 2, 3), new Uint8Array(29).fill(7), new Uint8Array(32).fill(9)];
  const reading = readStream(stream, { most: 1000 }, AbortSignal.timeout(15_000));
  for (const part of sent) stream.send(part);
  await stream.close();
  expect(await reading).toEqual(concatAll(sent));
});
