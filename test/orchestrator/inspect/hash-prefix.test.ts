import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashOfPrefix, isHashPrefix } from '../../../src/orchestrator/inspect/hash-prefix.ts';
import type { Layer } from '../../../src/orchestrator/inspect/layer.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';

let head = 450;
let asked: number[] = [];
const hash = (begin: string) => `0x${begin.padEnd(64, '0')}`;

let node: AnsweringNode;
let layers: readonly Layer[];
beforeAll(async () => {
  node = await answeringNode((method, [at, isWhole]) => {
    if (method === 'eth_blockNumber') return `0x${head.toString(16)}`;
    const number = Number(at);
    asked.push(number);
    // Hashes of transactions alone are asked for.
    expect(isWhole).toBe(false);
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
    ...{ code: 'usage', exit: 2, hint: expect.stringContaining('more digits') },
  });
});

it('the begin of no hash is missing, and that of a block is not one of a transaction', async () => {
  const missing = {
    code: 'missing',
    hint: expect.stringContaining('whole hash'),
    message: 'no transaction 0xaa0001… in the newest 10000 blocks of l1, other',
  };
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

it.each([
  [0, 0],
  [199, 0],
  [200, 0],
  [450, 0],
  [9999, 0],
  [10_000, 1],
  [12_000, 2001],
])('the blocks up to the head %d are read once, from %d on', async (newest, first) => {
  [head, asked] = [newest, []];
  await expect(hashOfPrefix(layers.slice(0, 1), 'block', '0xcc')).rejects.toMatchObject({ code: 'missing' });
  const numbers = Array.from({ length: newest - first + 1 }, (_, at) => first + at);
  expect(asked.toSorted((a, b) => a - b)).toEqual(numbers);
});
