import { expect, it } from 'vitest';
import { PoolError, reject } from '../../../../src/nodes/execution/pool/pool-error.ts';

it('a rejected transaction is an error with the problem, in the words of op-geth', () => {
  const rejected = () => reject({ kind: 'known' });
  expect(rejected).toThrow(PoolError);
  expect(rejected).toThrow('already known');
  expect(new PoolError({ kind: 'known' })).toMatchObject({ name: 'PoolError', problem: { kind: 'known' } });
});
