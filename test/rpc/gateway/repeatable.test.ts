import { expect, it } from 'vitest';
import { isRepeatable } from '../../../src/rpc/gateway/repeatable.ts';

const READ = { method: 'eth_call' };
const WRITE = { method: 'eth_sendRawTransaction' };

it.each<[unknown, boolean]>([
  [READ, true],
  [WRITE, false],
  [[READ, READ], true],
  [[READ, WRITE], false],
  [[WRITE, READ], false],
  [[READ, {}], false],
  [[READ, null], false],
  [[READ, [WRITE]], false],
  [[], false],
  [{ method: ['eth_call'] }, false],
  [null, false],
  ['eth_call', false],
])('%j can be sent twice, as its every method only reads: %s', (message, expected) => {
  expect(isRepeatable(Buffer.from(JSON.stringify(message)), (method) => /^eth_call$/.test(method))).toBe(expected);
});

it('a body that is no JSON is never sent twice', () => {
  for (const body of ['', '{"method":"eth_call"', '{"method":"eth_call"}{"method":"eth_call"}'])
    expect(isRepeatable(Buffer.from(body), () => true)).toBe(false);
});
