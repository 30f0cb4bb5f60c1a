import { describe, expect, it } from 'vitest';
import type { FollowedNode } from '../../../../src/orchestrator/divergence/watch/followed-node.ts';
import { Refusals } from '../../../../src/orchestrator/divergence/watch/refusals.ts';
import { node } from './followed.ts';

const NEXT = { number: 2, hash: 'c' };
const stuck = (name: string) => ({ node: name, next: NEXT, holder: 'sequencer' });

describe('a block that nodes refused', () => {
  const [sequencer, other] = [node('sequencer', 'abc', true), node('other', 'abc')];
  const [late, slow] = [node('late', 'ab'), node('slow', 'ab')];
  const divergences = (nodes: readonly FollowedNode[], ...refusers: string[]) => {
    const refusals = new Refusals();
    for (const name of refusers) refusals.add(stuck(name), `${name}: invalid`);
    return refusals.divergences(nodes, 7000);
  };
  const expected = (nodes: string[], against: string, refuser: string) => ({
    ...{ block: 2, nodes, kind: 'refused', against, hash: 'c', since: 7000 },
    refusal: { node: refuser, words: `${refuser}: invalid` },
  });

  it('divides the nodes that refused it from those that have it', () => {
    expect(divergences([sequencer, other, late], 'late')).toEqual([expected(['late'], 'sequencer', 'late')]);
    expect(divergences([other, sequencer, late, slow], 'slow', 'late')).toEqual([
      expected(['late', 'slow'], 'other', 'slow'),
    ]);
  });

  it('is that of the minority when more nodes refused it', () => {
    expect(divergences([sequencer, late, slow], 'slow', 'late')).toEqual([expected(['sequencer'], 'slow', 'slow')]);
    const third = node('a-third', 'ab');
    expect(divergences([sequencer, other, late, slow, third], 'slow', 'late', 'a-third')).toEqual([
      expected(['other', 'sequencer'], 'slow', 'slow'),
    ]);
  });

  it('is right, of two nodes, on the side of the reference', () => {
    expect(divergences([sequencer, late], 'late')).toEqual([expected(['late'], 'sequencer', 'late')]);
    const refuser = node('sequencer', 'ab', true);
    expect(divergences([refuser, other], 'sequencer')).toEqual([expected(['other'], 'sequencer', 'sequencer')]);
  });

  it('is no divergence when no node has it', () => {
    expect(divergences([late, slow], 'late')).toEqual([]);
    expect(divergences([sequencer, late])).toEqual([]);
    expect(divergences([node('sequencer', 'abx', true), late], 'late')).toEqual([]);
  });

  it('is one divergence for each block', () => {
    const refusals = new Refusals();
    refusals.add(stuck('late'), 'l');
    refusals.add({ node: 'slow', next: { number: 2, hash: 'd' }, holder: 'fork' }, 's');
    const nodes = [sequencer, other, node('fork', 'abd'), node('fork-2', 'abd'), late, slow];
    expect(refusals.divergences(nodes, 0).map(({ hash, nodes: names }) => [hash, names])).toEqual([
      ['c', ['late']],
      ['d', ['slow']],
    ]);
  });

  it('is known until its node has passed it', () => {
    const refusals = new Refusals();
    refusals.add(stuck('late'), 'invalid');
    expect(refusals.has('late', NEXT)).toBe(true);
    expect(refusals.has('late', { number: 2, hash: 'x' })).toBe(false);
    expect(refusals.has('slow', NEXT)).toBe(false);
    refusals.forgetPassed([late, node('other', 'abc'), node('late-2', 'abc')]);
    refusals.forgetPassed([node('late', '')]);
    expect(refusals.has('late', NEXT)).toBe(true);
    refusals.forgetPassed([node('late', 'abx')]);
    expect(refusals.has('late', NEXT)).toBe(false);
    refusals.add(stuck('late'), 'invalid');
    refusals.delete('late');
    expect(refusals.has('late', NEXT)).toBe(false);
    const first = { number: 1, hash: 'b' };
    refusals.add({ node: 'late', next: first, holder: 'sequencer' }, 'invalid');
    refusals.forgetPassed([node('late', '')]);
    expect(refusals.has('late', first)).toBe(true);
  });
});
