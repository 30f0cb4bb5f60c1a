import { expect, it } from 'vitest';
import type { PictureChain } from '../../../src/orchestrator/dashboard/picture-type.ts';
import { forksAt, stateOfBlock } from '../../../src/page/explorer/marks.ts';

const node: PictureChain['nodes'][number] = {
  ...{ name: 'late', role: 'verifier', phase: 'ready', el: '', cl: '', http: '', peers: [] },
  ...{ unsafe: 12, safe: 8, finalized: 5, rate: null, behind: null },
};
const isthmus: PictureChain['forks'][number] = {
  ...{ chain: 'main', fork: 'isthmus', time: 1060, at: null, secondsToGo: null, block: 60, bundle: null },
  ...{ nodes: {}, overrides: { late: 1070 } },
};
const chain: PictureChain = { name: 'main', chainId: 901, nodes: [node], forks: [isthmus], posters: [] };

it.each([
  [5, 'finalized'],
  [8, 'safe'],
  [9, 'unsafe'],
])('block %d is %s', (number, state) => {
  expect(stateOfBlock(number, node)).toBe(state);
});

it('every block is unsafe on a node that does not answer', () => {
  expect(stateOfBlock(0, { ...node, safe: null, finalized: null })).toBe('unsafe');
});

it('a fork marks the first block whose time has reached it, by the time of the node', () => {
  expect(forksAt(chain, 'sequencer', 1060, 1059)).toEqual(['isthmus']);
  expect(forksAt(chain, 'sequencer', 1061, 1059)).toEqual(['isthmus']);
  expect(forksAt(chain, 'sequencer', 1061, 1060)).toEqual([]);
  expect(forksAt(chain, 'sequencer', 1060, undefined)).toEqual([]);
  expect(forksAt(chain, 'late', 1060, 1059)).toEqual([]);
  expect(forksAt(chain, 'late', 1070, 1069)).toEqual(['isthmus']);
});
