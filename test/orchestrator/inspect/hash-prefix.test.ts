import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashOfPrefix, isHashPrefix } from '../../../src/orchestrator/inspect/hash-prefix.ts';
import type { Layer } from '../../../src/orchestrator/inspect/layer.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';

const HEAD = 450;
const hash = (begin: string) => `0x${begin.padEnd(64, '0')}`;

let node: AnsweringNode;
let layers: readonly Layer[];
beforeAll(async () => {
  node = await answeringNode((method, [at]) => {
    if (method === 'eth_blockNumber') return `0x${HEAD.toString(16)}`;
    const number = Number(at);
    return {
      hash: hash(`aa${String(number).padStart(4, '0')}`),
      transactions: [hash(`bb${String(number).padStart(4, '0')}`)],
    };
  });
  const layer: Layer = { kind: 'l1', label: 'l1', url: node.url };
  // The same hash of two layers is one.
  layers = [layer, { ...layer, label: 'other' }];
});
afterAll(() => node.close());

it('the begin of a hash finds a block or a transaction, from the genesis to the head', async () => {
  for (const number of ['0000', '0001', '0250', '0251', '0450']) {
    expect(await hashOfPrefix(layers, 'block', `0xAA${number}`)).toBe(hash(`aa${number}`));
    expect(await hashOfPrefix(layers, 'transaction', `0xbb${number}`)).toBe(hash(`bb${number}`));
  }
});

it('the begin of several hashes is refused with their names', async () => {
  await expect(hashOfPrefix(layers, 'block', '0xaa00')).rejects.toMatchObject({
    message: expect.stringMatching(/^100 hashes begin with 0xaa00: 0xaa\d+, 0xaa\d+, 0xaa\d+, 0xaa\d+$/),
    exit: 2,
  });
});

it('the begin of no hash is missing, and that of a block is not one of a transaction', async () => {
  const missing = { code: 'missing', message: 'no transaction 0xaa0001… in the newest 10000 blocks of l1, other' };
  await expect(hashOfPrefix(layers, 'transaction', '0xaa0001')).rejects.toMatchObject(missing);
});

it('a whole hash is not searched', async () => {
  expect(await hashOfPrefix([], 'block', `0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
});

it.each([
  ['0x1234', true],
  [`0x${'1'.repeat(64)}`, true],
  ['0x123', false],
  [`0x${'1'.repeat(65)}`, false],
  ['1234', false],
  ['0x12g4', false],
])('%s is the begin of a hash: %s', (word, expected) => {
  expect(isHashPrefix(word)).toBe(expected);
});
