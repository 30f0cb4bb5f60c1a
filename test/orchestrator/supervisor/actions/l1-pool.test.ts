import { expect, it } from 'vitest';
import type { L1PoolFault } from '../../../../src/orchestrator/state/faults.ts';
import { L1Pool } from '../../../../src/orchestrator/supervisor/actions/l1-pool.ts';
import type { L1Answer, L1Request } from '../../../../src/system/channel/l1-requests.ts';

const fault = (id: string, more: Partial<L1PoolFault> = {}): L1PoolFault => {
  return { id, since: 1, action: 'hold', of: 'batcher', from: '0xab', ...more };
};

/** What l1-beacon is asked, and how it answers. */
function poolOf(answer: () => Promise<L1Answer> = async () => ({ kind: 'pool-faults', faults: [] })) {
  const asked: L1Request[] = [];
  const pool = new L1Pool((request) => {
    asked.push(request);
    return answer();
  });
  return { pool, asked };
}

const added = (id: string, more: object = {}) => {
  return { do: 'pool', fault: { id, action: 'hold', from: '0xab', nonce: undefined, until: undefined, ...more } };
};

it('a pool gets what has changed alone', () => {
  const { pool, asked } = poolOf();
  pool.follow([]);
  pool.follow([fault('1')]);
  pool.follow([fault('1', { nonce: 4 }), fault('2', { until: 9 })]);
  expect(asked.splice(0)).toEqual([added('1'), added('2', { until: 9 })]);
  pool.follow([fault('2')]);
  expect(asked.splice(0)).toEqual([{ do: 'keep-pool', ids: ['2'] }]);
  // Another fault of the same name replaces it.
  pool.follow([fault('2', { since: 2, action: 'drop' })]);
  expect(asked).toEqual([{ do: 'keep-pool', ids: ['2'] }, added('2', { action: 'drop' })]);
});

it('a pool whose program is connected again gets all that is declared, as far as it is known', async () => {
  const { pool, asked } = poolOf(() => Promise.reject(new Error('l1-beacon does not run')));
  pool.sendAll();
  expect(asked).toEqual([]);
  pool.follow([fault('1'), fault('2')]);
  await pool.sent();
  pool.follow([fault('1'), fault('2', { nonce: 7 })]);
  asked.splice(0);
  pool.sendAll();
  expect(asked).toEqual([{ do: 'keep-pool', ids: ['1', '2'] }, added('1'), added('2', { nonce: 7 })]);
});

it('a pool has what is declared when it has answered', async () => {
  const answered = Promise.withResolvers<L1Answer>();
  const { pool } = poolOf(() => answered.promise);
  pool.follow([fault('1')]);
  let isSent = false;
  const sent = pool.sent().then(() => {
    isSent = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSent).toBe(false);
  answered.resolve({ kind: 'pool-faults', faults: [] });
  await sent;
});
