import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createTestClient } from 'viem';
import { expect, it } from 'vitest';
import { l1TestTransport } from '../../../src/library/network/l1-moves.ts';
import { testScope } from '../../../src/library/network/test-scope.ts';

/** Serves a JSON-RPC endpoint that keeps each call until it is answered. */
async function endpoint() {
  const calls: { readonly method: string; readonly answer: (body: object) => void }[] = [];
  const server = createServer(async (request, response: ServerResponse) => {
    const { id, method } = (await json(request)) as { readonly id: number; readonly method: string };
    const answer = (body: object) => response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    calls.push({ method, answer });
    server.emit('call');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  return { calls, url: `http://127.0.0.1:${port}`, called: () => once(server, 'call'), close: () => server.close() };
}

it('a warp through L1 is ended with its scope, and is not sent again', async () => {
  const l1 = await endpoint();
  const scope = testScope();
  let ends = 0;
  const warpEnd = Promise.withResolvers<void>();
  const endWarp = async () => {
    ends += 1;
    if (ends === 1) throw new Error('no warp is under way yet');
    l1.calls[0]!.answer({ error: { code: -32603, message: 'the warp was ended' } });
    warpEnd.resolve();
  };
  const client = createTestClient({ mode: 'anvil', transport: l1TestTransport(l1.url, { scope, endWarp }) });
  const called = l1.called();
  const move = client.increaseTime({ seconds: 1000 });
  await called;
  const end = scope.end();
  await expect(move).rejects.toMatchObject({ code: 'test-ended' });
  await Promise.all([end, warpEnd.promise]);
  await expect(client.mine({ blocks: 1 })).rejects.toMatchObject({ code: 'test-ended' });
  expect(l1.calls.map(({ method }) => method)).toEqual(['evm_increaseTime']);
  l1.close();
});

it('the end of a scope waits for its reorganisation of L1', async () => {
  const l1 = await endpoint();
  const scope = testScope();
  const endWarp = () => Promise.reject(new Error('no warp is to be ended'));
  const client = createTestClient({ mode: 'anvil', transport: l1TestTransport(l1.url, { scope, endWarp }) });
  const called = l1.called();
  const move = client.request({ method: 'anvil_reorg' as 'anvil_mine', params: [3] as never });
  await called;
  let isOver = false;
  const end = scope.end().then(() => {
    isOver = true;
  });
  await expect(move).rejects.toMatchObject({ code: 'test-ended' });
  expect(isOver).toBe(false);
  l1.calls[0]!.answer({ result: null });
  await end;
  l1.close();
});
