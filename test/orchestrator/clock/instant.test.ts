import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { followTransactions } from '../../../src/orchestrator/clock/instant.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { steppedClock } from './stepped-clock.ts';

/** An execution client with a pool, which answers what a follower of transactions asks, and announces heads. */
async function pooled(...hashes: readonly string[]) {
  const subscriptions = new Map<string, string>();
  let head = { hash: '0xb0', number: '0x0', timestamp: '0x0', transactions: [] as readonly string[] };
  const content = Object.fromEntries(hashes.map((hash, nonce) => [String(nonce), { hash, from: '0x01' }]));
  const answers: Record<string, unknown> = {
    txpool_content: { pending: { '0x01': content }, queued: {} },
    eth_getTransactionByHash: { from: '0x01' },
  };
  const answer = (text: string) => {
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: readonly string[] };
    if (method === 'eth_subscribe') subscriptions.set(params[0] ?? '', `0x${id}`);
    const result = method.startsWith('eth_getBlock') ? head : (answers[method] ?? `0x${id}`);
    return JSON.stringify({ jsonrpc: '2.0', id, result });
  };
  /** Answers about the head that are held back; absent: none is. */
  let heldBack: (() => void)[] | undefined;
  const announce = (kind: string, result: unknown) => {
    const params = { subscription: subscriptions.get(kind), result };
    for (const socket of sockets.clients)
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part)).on('end', () => response.end(answer(body)));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      const send = () => socket.send(answer(text));
      if (heldBack !== undefined && text.includes('eth_getBlockByNumber')) heldBack.push(send);
      else send();
    }),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ http: `http://${host}`, ws: `ws://${host}` },
    isFollowed: () => subscriptions.size === 2,
    holdHead: () => {
      heldBack = [];
    },
    isHeadAsked: () => heldBack !== undefined && heldBack.length > 0,
    tellHead: () => {
      for (const send of heldBack ?? []) send();
      heldBack = undefined;
    },
    transaction: (hash: string) => announce('newPendingTransactions', hash),
    block(timestamp: number, ...transactions: readonly string[]) {
      const number = `0x${(timestamp / 2).toString(16)}`;
      head = { hash: `0xb${timestamp}`, number, timestamp: `0x${timestamp.toString(16)}`, transactions };
      announce('newHeads', head);
    },
    [Symbol.dispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Longer than any pause of a busy machine: the clock moves on for blocks alone. */
const PATIENCE_MS = 600_000;

const planOf = (l1: { http: string; ws: string }, el: { http: string; ws: string }) =>
  ({
    network: {
      l1: { blockTime: 12, direct: { rpc: l1.http, ws: l1.ws } },
      chains: [{ blockTime: 2, accounts: [], nodes: [{ role: 'sequencer', el }] }],
    },
  }) as unknown as Plan;

it('a transaction from before the subscription requests a block of its layer', async () => {
  using l1 = await pooled();
  using el = await pooled('0xaa', '0xbb');
  const clock = steppedClock();
  const end = new AbortController();
  followTransactions(planOf(l1, el), clock, end.signal);
  await expect.poll(() => clock.moves).toEqual([2]);
  end.abort();
});

it('transactions that arrive before the head is known request one block', async () => {
  using l1 = await pooled();
  using el = await pooled();
  el.holdHead();
  const clock = steppedClock();
  const end = new AbortController();
  followTransactions(planOf(l1, el), clock, end.signal, PATIENCE_MS);
  await expect.poll(el.isHeadAsked).toBe(true);
  for (const hash of ['0xaa', '0xbb', '0xcc']) el.transaction(hash);
  el.tellHead();
  await expect.poll(el.isFollowed).toBe(true);
  el.transaction('0xdd');
  await expect.poll(() => clock.moves).toEqual([2]);
  el.block(2, '0xdd');
  el.transaction('0xee');
  await expect.poll(() => clock.moves).toEqual([2, 4]);
  end.abort();
});

it('the clock waits for the block that is due when more transactions arrive', async () => {
  using l1 = await pooled();
  using el = await pooled();
  const clock = steppedClock();
  const end = new AbortController();
  followTransactions(planOf(l1, el), clock, end.signal, PATIENCE_MS);
  await expect.poll(el.isFollowed).toBe(true);
  for (let sender = 0; sender < 200; sender++) el.transaction(`0xa${sender}`);
  await expect.poll(() => clock.moves).toEqual([2]);
  // The block has none of them: the next one is called for, once.
  el.block(2);
  await expect.poll(() => clock.moves).toEqual([2, 4]);
  el.transaction('0xc0');
  el.transaction('0xc1');
  const all = Array.from({ length: 200 }, (_, sender) => `0xa${sender}`);
  el.block(4, ...all, '0xc0', '0xc1');
  // A transaction that arrives after its block is there calls for another.
  el.transaction('0xd0');
  await expect.poll(() => clock.moves).toEqual([2, 4, 6]);
  end.abort();
});
