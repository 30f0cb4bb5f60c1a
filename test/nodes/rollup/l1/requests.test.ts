import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { limitedRequests } from '../../../../src/nodes/rollup/l1/requests.ts';
import { RpcError } from '../../../../src/rpc/error.ts';
import { someTurns } from '../../../orchestrator/turns-until.ts';
import { fakeClient } from '../support/fake-client.ts';

afterEach(() => void vi.useRealTimers());

const unlimited = { maxBatch: 20, maxConcurrency: 10, ratePerSecond: 0 };

describe('L1 requests', () => {
  it('made at once go out in as few messages as the limits allow, and each gets its own answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        async (count, maxBatch, maxConcurrency) => {
          const client = fakeClient(({ params }) => Number(params?.[0]) * 2);
          const request = limitedRequests(client, { maxBatch, maxConcurrency, ratePerSecond: 0 });
          const answers = await Promise.all(Array.from({ length: count }, (_, at) => request('double', [at])));
          expect(answers).toEqual(Array.from({ length: count }, (_, at) => at * 2));
          expect(client.messages).toHaveLength(Math.ceil(count / maxBatch));
          expect(Math.max(...client.messages.map((message) => message.length))).toBeLessThanOrEqual(maxBatch);
          expect(client.mostUnderWay()).toBeLessThanOrEqual(maxConcurrency);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('fail one by one', async () => {
    const client = fakeClient(({ method }) => {
      if (method === 'bad') throw new RpcError(-32000, 'no');
      return 'fine';
    });
    const request = limitedRequests(client, unlimited);
    const settled = await Promise.allSettled([request('good', []), request('bad', []), request('good', [])]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(client.messages).toHaveLength(1);
  });

  it('fail together when no answer comes, and later ones are still sent', async () => {
    let isDown = true;
    const client = fakeClient(() => 'fine');
    const request = limitedRequests(
      { ...client, batch: (requests) => (isDown ? Promise.reject(new Error('down')) : client.batch(requests)) },
      unlimited,
    );
    await expect(Promise.all([request('a', []), request('b', [])])).rejects.toThrow('down');
    isDown = false;
    expect(await request('c', [])).toBe('fine');
  });

  it('keep to the rate limit after a first burst', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const client = fakeClient(() => 'fine');
    const request = limitedRequests(client, { ...unlimited, ratePerSecond: 50 });
    const all = Promise.all(Array.from({ length: 60 }, () => request('a', [])));
    const sentAfter = async (ms: number) => {
      for (let passed = 0; passed < ms; passed++) {
        vi.advanceTimersByTime(1);
        await someTurns();
      }
      return client.messages.flat().length;
    };
    await someTurns();
    expect(await sentAfter(0)).toBe(50);
    expect(await sentAfter(19)).toBe(50);
    expect(await sentAfter(81)).toBe(55);
    expect(await sentAfter(100)).toBe(60);
    await all;
  });
});
