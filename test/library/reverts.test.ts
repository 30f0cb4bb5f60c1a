import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { heightsOf, revertsSince } from '../../src/library/reverts.ts';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';

/** An L1 with a head, whose blocks have one successful transaction each. It records the blocks read. */
async function l1At(head: number) {
  const read: number[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { id, method, params } = JSON.parse(body);
    if (method === 'eth_getBlockReceipts') read.push(Number(params[0]));
    const result =
      method === 'eth_blockNumber' ? `0x${head.toString(16)}` : [{ status: '0x1', transactionHash: '0x1' }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const rpc = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const plan = { devnet: 'a', network: { l1: { rpc }, chains: [] } } as unknown as Plan;
  return {
    plan,
    read,
    [Symbol.dispose]() {
      server.close().closeAllConnections();
    },
  };
}

it.each<[string, number | undefined, readonly number[]]>([
  ['above the height of the begin', 5, [6, 7, 8]],
  ['of none when no block came', 8, []],
  ['of none when a snapshot took the head below the height', 12, []],
  ['of none when L1 did not answer at the begin', undefined, []],
])('reverts are read only from blocks %s', async (_, height, blocks) => {
  using l1 = await l1At(8);
  expect(await heightsOf(l1.plan)).toEqual(new Map([['l1', 8]]));
  expect(await revertsSince(l1.plan, new Map(height === undefined ? [] : [['l1', height]]))).toEqual([]);
  expect(l1.read).toEqual(blocks);
});
