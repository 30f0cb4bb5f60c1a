import { getBalance } from 'viem/actions';
import { afterEach, expect, it, vi } from 'vitest';
import { chainAt, receiptOf, walletAt } from '../../../src/orchestrator/traffic/transaction.ts';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { recording } from '../../rpc/client/server.ts';
import { someTurns, turnsUntil } from '../turns-until.ts';

afterEach(() => void vi.useRealTimers());

const KEY = `0x${'33'.repeat(32)}` as const;
const HASH = `0x${'22'.repeat(32)}` as const;
const RECEIPT = { transactionHash: HASH, blockNumber: '0x5', status: '0x1', logs: [] };

type Answer = 'none' | 'pending' | 'included' | 'refused';

/** A client that answers requests for a receipt in this way, and all others as the last one. */
function answering(answers: readonly Answer[]) {
  let at = 0;
  return recording((body, response) => {
    const answer = answers[Math.min(at++, answers.length - 1)]!;
    if (answer === 'none') return void response.socket?.destroy();
    const outcome =
      answer === 'refused'
        ? { error: { code: -32000, message: 'not now' } }
        : { result: answer === 'included' ? RECEIPT : null };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, ...outcome }));
  });
}

it.each<[string, Answer[]]>([
  ['comes when the transaction is in a block', ['pending', 'included']],
  ['comes from a client that was away for some requests', ['none', 'pending', 'none', 'included']],
])('a receipt %s', async (_, answers) => {
  await using client = await answering(answers);
  const receipt = await receiptOf(chainAt(client.url), HASH, 60_000);
  expect([receipt.blockNumber, receipt.status, client.requests.length]).toEqual([5n, 'success', answers.length]);
});

it('a receipt does not come when the check before a request fails', async () => {
  await using client = await answering(['included']);
  const check = () => Promise.reject(new Error('fell out'));
  await expect(receiptOf(chainAt(client.url), HASH, 60_000, check)).rejects.toThrow('fell out');
  expect(client.requests).toEqual([]);
});

it('a receipt comes after a check that was not answered', async () => {
  await using client = await answering(['included']);
  let checks = 0;
  const check = async () => {
    if (++checks === 1) throw new TransportError('http://127.0.0.1:1', 'connect ECONNREFUSED');
  };
  await receiptOf(chainAt(client.url), HASH, 60_000, check);
  expect([checks, client.requests.length]).toEqual([2, 1]);
});

it.each<[Answer, object]>([
  ['pending', { code: 'receipt', exit: 3, message: expect.stringContaining(`transaction ${HASH} is not in a block`) }],
  ['none', { cause: expect.any(TransportError) }],
  ['refused', { details: 'not now' }],
])('a receipt that does not come in time is told by the last answer: %s', async (answer, failure) => {
  await using client = await answering([answer]);
  await expect(receiptOf(chainAt(client.url), HASH, 0)).rejects.toMatchObject(failure);
  expect(client.requests).toHaveLength(1);
});

it.each([
  [0, 10_000],
  [20_000, 20_000],
  [100_000, 60_000],
  [undefined, 60_000],
])('a request ends after the time of the whole, at least 10 s and at most 60 s: %s ms', async (wholeMs, limitMs) => {
  await using client = await recording(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ends: string[] = [];
  for (const [count, chain] of [chainAt(client.url, wholeMs), walletAt(client.url, KEY, wholeMs)].entries()) {
    getBalance(chain, { address: `0x${'11'.repeat(20)}` }).catch(({ details }: { details: string }) =>
      ends.push(details),
    );
    await turnsUntil(() => client.requests.length > count);
  }
  vi.advanceTimersByTime(limitMs - 1);
  await someTurns();
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(1);
  await turnsUntil(() => ends.length === 2);
  expect(ends).toEqual(Array(2).fill(`${client.url}: no answer within ${limitMs} ms`));
});
