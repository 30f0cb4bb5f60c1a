import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { connectL1 } from '../../../../src/nodes/rollup/l1/connect.ts';
import { watchHeadChanges } from '../../../../src/nodes/rollup/l1/watch.ts';
import { standaloneChannel } from '../../../../src/system/channel/channel.ts';
import { memoryLog } from '../../batcher/helpers.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0).reverse()) each.close();
});

it('the watch of L1 says once that heads fail, although each subscription begins', async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(sockets, 'listening');
  open.push({ close: () => sockets.close() });
  let subscriptions = 0;
  sockets.on('connection', (socket: WebSocket) => {
    open.push({ close: () => socket.terminate() });
    socket.on('message', (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString('utf8')) as { readonly id: number; readonly method: string };
      if (method === 'eth_subscribe') subscriptions++;
      const answer =
        method === 'eth_subscribe' ? { result: `0x${subscriptions}` } : { error: { code: -32000, message: 'no head' } };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`;
  const { log, lines } = memoryLog();
  const l1 = connectL1({
    ...{ url, maxBatch: 20, maxConcurrency: 10, rateLimit: 0, cacheSize: 10, trusted: false, kind: 'standard', log },
    ...{ beacons: [], beaconHeader: undefined },
  });
  open.push(l1);
  const stopping = new AbortController();
  open.push({ close: () => stopping.abort() });
  watchHeadChanges({
    ...{ client: l1.client, socket: l1.socket, headPollMs: 20, epochPollMs: 0, clock: standaloneChannel() },
    ...{ log, signal: stopping.signal, onBlock: () => {} },
  });
  await vi.waitFor(() => expect(subscriptions).toBeGreaterThan(5));
  expect(lines.filter((line) => line.includes('no L1 heads'))).toHaveLength(1);
});
