import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { L1Label } from '../../../../src/nodes/rollup/l1/client.ts';
import { connectL1 } from '../../../../src/nodes/rollup/l1/connect.ts';
import { watchHeadChanges } from '../../../../src/nodes/rollup/l1/watch.ts';
import type { L1Header } from '../../../../src/protocol/types.ts';
import { standaloneChannel } from '../../../../src/system/channel/channel.ts';
import { memoryLog } from '../../batcher/helpers.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0).reverse()) each.close();
});

/** An L1 that answers by WebSocket and announces heads. */
interface ServedL1 {
  readonly url: string;
  /** Announces a head to each subscription. */
  announce(head: object): void;
}

/** Serves an L1. `answer`: the answer to a request that is no subscription. `subscribed`: called at each of them. */
async function serveL1(answer: () => object, subscribed: () => void): Promise<ServedL1> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  open.push({ close: () => server.close() });
  const announcing: ((head: object) => void)[] = [];
  server.on('connection', (socket: WebSocket) => {
    open.push({ close: () => socket.terminate() });
    const send = (message: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    socket.on('message', (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString('utf8')) as { readonly id: number; readonly method: string };
      if (method !== 'eth_subscribe') return send({ id, ...answer() });
      const subscription = `0x${announcing.length + 1}`;
      subscribed();
      send({ id, result: subscription });
      announcing.push((result) => send({ method: 'eth_subscription', params: { subscription, result } }));
    });
  });
  const announce = (head: object) => {
    for (const each of announcing) each(head);
  };
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, announce };
}

/** Watches the heads of an L1. Returns the lines of the watch's log. */
function watch(url: string, onBlock: (label: L1Label, header: L1Header) => void): readonly string[] {
  const { log, lines } = memoryLog();
  const l1 = connectL1({
    ...{ url, maxBatch: 20, maxConcurrency: 10, rateLimit: 0, cacheSize: 10, trusted: true, kind: 'standard', log },
    ...{ beacons: [], beaconHeader: undefined },
  });
  open.push(l1);
  const stopping = new AbortController();
  open.push({ close: () => stopping.abort() });
  watchHeadChanges({
    ...{ client: l1.client, socket: l1.socket, headPollMs: 20, epochPollMs: 0, clock: standaloneChannel() },
    ...{ log, signal: stopping.signal, onBlock },
  });
  return lines;
}

const hashOf = (name: string) => `0x${Buffer.from(name.padEnd(32, '.')).toString('hex')}`;

/** Block `number` of a branch. */
function headOf(branch: string, number: number) {
  return {
    ...{ hash: hashOf(`${branch}${number}`), parentHash: hashOf(`${branch}${number - 1}`) },
    ...{ number: `0x${number.toString(16)}`, timestamp: `0x${number.toString(16)}`, mixHash: hashOf('mix') },
  };
}

it('the watch of L1 says once that heads fail, although each subscription begins', async () => {
  let subscriptions = 0;
  const { url } = await serveL1(
    () => ({ error: { code: -32000, message: 'no head' } }),
    () => subscriptions++,
  );
  const lines = watch(url, () => {});
  await vi.waitFor(() => expect(subscriptions).toBeGreaterThan(5));
  expect(lines.filter((line) => line.includes('no L1 heads'))).toHaveLength(1);
});

it('the watch of L1 reports no head that is announced after L1 has answered with a later one', async () => {
  let latest = headOf('a', 9);
  const heads: string[] = [];
  const l1 = await serveL1(
    () => ({ result: latest }),
    () => {},
  );
  watch(l1.url, (_, { number, hash }) => heads.push(`${number} ${hash === hashOf(`a${number}`) ? 'a' : 'b'}`));
  await vi.waitFor(() => expect(heads).toEqual(['9 a']));
  l1.announce(headOf('a', 8));
  l1.announce(headOf('a', 9));
  latest = headOf('a', 10);
  l1.announce(latest);
  await vi.waitFor(() => expect(heads).toContain('10 a'));
  expect(heads).toEqual(['9 a', '10 a']);
  // A reorganisation to a lower head is one as soon as L1 answers with it.
  latest = headOf('b', 7);
  l1.announce(latest);
  await vi.waitFor(() => expect(heads).toEqual(['9 a', '10 a', '7 b']));
});
