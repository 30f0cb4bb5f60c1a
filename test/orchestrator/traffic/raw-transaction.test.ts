import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keccak256 } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { clientFor } from '../../../src/orchestrator/probe/call.ts';
import { sendRawTransaction } from '../../../src/orchestrator/traffic/raw-transaction.ts';
import { send, walletAt } from '../../../src/orchestrator/traffic/transaction.ts';

const KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const REQUEST = { to: `0x${'11'.repeat(20)}`, value: 1n, gas: 21_000n } as const;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** One delivery of a raw transaction: whether the client takes it, and whether it answers or ends the connection. */
interface Delivery {
  readonly isTaken: boolean;
  readonly isAnswered: boolean;
}

/** Serves the requests that viem makes for a transaction. Returns the URL, and the raw transactions that arrived. */
async function serveDeliveries(deliveries: Delivery[]) {
  const sent: `0x${string}`[] = [];
  const pool = new Set<string>();
  const answers: Record<string, (params: never[]) => unknown> = {
    eth_chainId: () => '0x384',
    eth_getTransactionCount: () => '0x0',
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_getBlockByNumber: () => ({ number: '0x1', baseFeePerGas: '0x1', transactions: [], timestamp: '0x1' }),
    eth_getTransactionByHash: ([hash]) => (pool.has(hash!) ? { hash } : null),
  };
  server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = (body: object) => response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    if (method !== 'eth_sendRawTransaction') return answer({ result: answers[method]?.(params) ?? null });
    const hash = keccak256(params[0]);
    sent.push(params[0]);
    const { isTaken, isAnswered } = deliveries.shift()!;
    const isKnown = pool.has(hash);
    if (isTaken) pool.add(hash);
    if (!isAnswered) return request.socket.destroy();
    return answer(isKnown ? { error: { code: -32000, message: 'already known' } } : { result: hash });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

describe('a transaction whose connection ends without an answer', () => {
  it.each([
    { title: 'is not sent again when the client has it', deliveries: [[true, false]], attempts: 1 },
    {
      title: 'is sent again when the client does not have it',
      deliveries: [
        [false, false],
        [true, true],
      ],
      attempts: 2,
    },
    {
      title: 'is sent a third time when the second connection ends, too',
      deliveries: [
        [false, false],
        [false, false],
        [true, true],
      ],
      attempts: 3,
    },
  ])('$title', async ({ deliveries, attempts }) => {
    const { url, sent } = await serveDeliveries(
      deliveries.map(([isTaken, isAnswered]) => ({ isTaken: isTaken!, isAnswered: isAnswered! })),
    );
    const hash = await send(walletAt(url, KEY), REQUEST);
    expect(sent).toHaveLength(attempts);
    expect(new Set(sent).size).toBe(1);
    expect(hash).toBe(keccak256(sent[0]!));
  });

  it('fails with the words of the connection when three attempts get no answer', async () => {
    const { url, sent } = await serveDeliveries(
      Array.from({ length: 3 }, () => ({ isTaken: false, isAnswered: false })),
    );
    await expect(send(walletAt(url, KEY), REQUEST)).rejects.toThrow('socket hang up');
    expect(sent).toHaveLength(3);
  });
});

it('a transaction fails at its time limit without another attempt when the client does not answer', async () => {
  let requests = 0;
  server = createServer(() => void requests++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(sendRawTransaction(client, '0x02', 100)).rejects.toThrow('no answer within 100 ms');
  expect(requests).toBe(1);
});
