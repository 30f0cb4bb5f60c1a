import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBlock } from '../../../src/orchestrator/inspect/block.ts';
import { inspectorOf } from '../../../src/orchestrator/inspect/inspector.ts';
import type { Layer } from '../../../src/orchestrator/inspect/layer.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';
import { planOf } from '../plan/planned.ts';

const COUNT = 10_000;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const quantity = (value: number) => `0x${value.toString(16)}`;

const transactions = Array.from({ length: COUNT }, (_, index) => ({
  ...{ hash: word(index), type: '0x2', transactionIndex: quantity(index), nonce: quantity(index), gas: '0x5208' },
  ...{ from: `0x${'a1'.repeat(20)}`, to: `0x${'b0'.repeat(20)}`, value: '0x1', input: '0x' },
}));
const block = {
  ...{ number: '0x7', hash: word(7), parentHash: word(6), timestamp: '0x64', gasUsed: '0x1', gasLimit: '0x2' },
  ...{ baseFeePerGas: '0x7', extraData: '0x', transactions },
};

let node: AnsweringNode;
beforeAll(async () => {
  node = await answeringNode((method) => {
    if (method !== 'eth_getBlockReceipts') return block;
    return transactions.map(({ hash }) => ({ transactionHash: hash, status: '0x1', gasUsed: '0x5208' }));
  });
});
afterAll(() => node.close());

it('a block of 10,000 transactions decodes those of a range alone, and says how many there are', async () => {
  const layer: Layer = { kind: 'l1', label: 'l1', url: node.url };
  // The files of this plan are not written: a batch inbox has no name.
  const inspector = { ...inspectorOf(planOf('{}')), names: () => new Map<string, string>() };
  const view = await readBlock(inspector, layer, '0x7', { from: 9950, count: 100 });
  expect(view?.transactionCount).toBe(COUNT);
  expect(view?.transactions.map(({ index }) => index)).toEqual(Array.from({ length: 50 }, (_, at) => 9950 + at));
  expect(view?.transactions[0]).toMatchObject({ hash: word(9950), status: 'success' });
});
