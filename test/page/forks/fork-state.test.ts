import { describe, expect, it } from 'vitest';
import type { PictureChain } from '../../../src/orchestrator/dashboard/picture-type.ts';
import { forkState } from '../../../src/page/forks/fork-state.ts';

type State = 'active' | 'pending' | 'never' | 'unknown';

const GENESIS = 1000;

/** The state of a fork whose time is 1060, on a node at block 60. `override`: the node's own time. */
function stateAt(now: number, state: State, override?: number | null, unsafe: number | null = 60) {
  const node = {
    ...{ name: 'late', role: 'verifier', phase: 'ready', el: '', cl: '', http: '', peers: [], unsafe },
    ...{ safe: null, finalized: null, rate: null, behind: null },
  };
  const row: PictureChain['forks'][number] = {
    ...{ chain: 'main', fork: 'isthmus', time: 1060, at: null, secondsToGo: null, block: 60, bundle: null },
    nodes: { late: state },
    overrides: override === undefined ? {} : { late: override },
  };
  return forkState(row, node, { now, genesisTime: GENESIS });
}

describe('a fork on a node', () => {
  it('is active', () => {
    expect(stateAt(1100, 'active')).toMatchObject({ text: 'active', kind: 'good', time: 1060 });
    expect(stateAt(1100, 'active', 1090)).toMatchObject({ text: 'active (00:18:10)', kind: 'good', time: 1090 });
  });

  it('has a time to go until its activation', () => {
    expect(stateAt(1000, 'pending')).toMatchObject({ text: 'in 1 min', kind: 'dim', time: 1060 });
    expect(stateAt(1000, 'pending', 1660)).toMatchObject({ text: 'in 11 min (00:27:40)', kind: 'bad', time: 1660 });
  });

  it('is not reached, and never pending, when its time is past', () => {
    expect(stateAt(1060, 'pending')).toMatchObject({
      text: 'not reached: stands at block 60',
      kind: 'bad',
      time: 1060,
    });
    expect(stateAt(2000, 'pending', 1660).text).toBe('not reached: stands at block 60 (00:27:40)');
    expect(stateAt(2000, 'pending', undefined, null).text).toBe('not reached');
  });

  it('has a short text with which the long one begins', () => {
    const states = [stateAt(1100, 'active', 1090), stateAt(1000, 'pending', 1660), stateAt(1060, 'pending')];
    expect(states.map(({ short }) => short)).toEqual(['active', 'in 11 min', 'not reached']);
    for (const { text, short } of states) expect(text.startsWith(short)).toBe(true);
  });

  it('never comes', () => {
    expect(stateAt(2000, 'never', null)).toMatchObject({ text: 'never', kind: 'bad', time: null });
  });

  it('is unknown while the node does not answer', () => {
    expect(stateAt(2000, 'unknown')).toMatchObject({ text: 'unknown: no answer', kind: 'bad' });
  });
});
