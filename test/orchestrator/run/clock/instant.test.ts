import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { followTransactions } from '../../../../src/orchestrator/run/clock/instant.ts';

/** An execution client with a pool, which answers what a follower of transactions asks. */
async function pooled(...hashes: readonly string[]) {
  const content = Object.fromEntries(hashes.map((hash, nonce) => [String(nonce), { hash, from: '0x01' }]));
  const answers: Record<string, unknown> = {
    txpool_content: { pending: { '0x01': content }, queued: {} },
    eth_getTransactionByHash: { from: '0x01' },
  };
  const answer = (text: string) => {
    const { id, method } = JSON.parse(text) as { id: number; method: string };
    return JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? `0x${id}` });
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part)).on('end', () => response.end(answer(body)));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(answer(data.toString()))));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ http: `http://${host}`, ws: `ws://${host}` },
    [Symbol.dispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

const planOf = (l1: { http: string; ws: string }, el: { http: string; ws: string }) =>
  ({
    network: {
      l1: { blockTime: 12, direct: { rpc: l1.http, ws: l1.ws } },
      chains: [{ blockTime: 2, accounts: [], nodes: [{ role: 'sequencer', el }] }],
    },
  }) as unknown as Plan;

it('a transaction that waits before the subscription calls for a block of its layer', async () => {
  using l1 = await pooled();
  using el = await pooled('0xaa', '0xbb');
  const advanced: number[] = [];
  const end = new AbortController();
  followTransactions(planOf(l1, el), (blockTime) => advanced.push(blockTime), end.signal);
  await expect.poll(() => advanced).toEqual([2, 2]);
  end.abort();
});
