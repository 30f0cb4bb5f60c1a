import { expect, it } from 'vitest';
import { capabilities } from '../../../../src/nodes/execution/query/capabilities.ts';
import { hashOf, PARIS_HEADER } from '../views/sample-block.ts';

const all = { disabled: false, oldestBlock: '0x0' };

it.each([
  ['a node that keeps all states', 200, undefined, all],
  ['a pruning node with a long chain', 200, 128, '0x49'],
  ['a pruning node whose first state is the oldest', 127, 128, '0x0'],
  ['a pruning node with one state less than its window', 128, 128, '0x1'],
  ['a pruning node with a short chain', 5, 128, '0x0'],
])('the capabilities of %s name its head and its oldest state', (_, number, blocks, oldest) => {
  const head = { hash: hashOf(1), header: { ...PARIS_HEADER, number } };
  const retention = blocks === undefined ? undefined : { blocks, missing: () => new Error('pruned') };
  const state =
    typeof oldest === 'object'
      ? oldest
      : { disabled: false, oldestBlock: oldest, deleteStrategy: { type: 'window', retentionBlocks: '0x80' } };
  expect(capabilities({ head, stateRetention: retention })).toEqual({
    head: { number: `0x${number.toString(16)}`, hash: hashOf(1) },
    state,
    tx: all,
    logs: all,
    receipts: all,
    blocks: all,
    stateproofs: state,
  });
});
