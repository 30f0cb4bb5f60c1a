import { describe, expect, it } from 'vitest';
import { RollupHeads } from '../../../../src/orchestrator/divergence/watch/rollup-heads.ts';
import { BlockWindow } from '../../../../src/orchestrator/health/gauge/head-window.ts';
import { node } from './followed.ts';

describe('the heads of a rollup node', () => {
  const AT = { watched: 1000, wall: 9000 };
  const whole = node('a', 'abcd').window;
  const block = (number: number, hash: string) => ({ number, hash });

  it('are equal to the blocks of its execution client, and are compared once', () => {
    const heads = new RollupHeads();
    heads.report('safe', block(1, 'b'));
    expect(heads.open).toEqual([1]);
    expect(heads.judge(whole, AT)).toEqual([]);
    expect([heads.open, heads.mismatches]).toEqual([[], []]);
    heads.report('safe', block(1, 'b'));
    expect(heads.open).toEqual([]);
    heads.report('finalized', block(1, 'b'));
    heads.report('safe', block(2, 'c'));
    expect(heads.open).toEqual([1, 2]);
  });

  it('wait for a block that the execution client has and that was not asked for', () => {
    const heads = new RollupHeads();
    const gaps = node('a', 'a--d').window;
    heads.report('safe', block(1, 'b'));
    heads.report('safe', block(2, 'c'));
    heads.report('unsafe', block(3, 'd'));
    expect(heads.judge(gaps, AT)).toEqual([1]);
    expect(heads.open).toEqual([1]);
    expect(heads.judge(whole, AT)).toEqual([]);
    expect(heads.open).toEqual([]);
  });

  it('are dropped above the head of the execution client, and without a block', () => {
    const heads = new RollupHeads();
    heads.report('unsafe', block(4, 'e'));
    heads.report('safe', block(1, `0x${'0'.repeat(64)}`));
    heads.report('finalized', block(1, '0x'));
    expect(heads.open).toEqual([4]);
    expect(heads.judge(whole, AT)).toEqual([]);
    expect([heads.open, heads.mismatches]).toEqual([[], []]);
    heads.report('unsafe', block(0, 'a'));
    expect(heads.judge(new BlockWindow(), AT)).toEqual([]);
    expect(heads.open).toEqual([]);
  });

  it('are a mismatch since the first block that differs, until one is equal', () => {
    const heads = new RollupHeads();
    heads.report('safe', block(1, '0x0x'));
    heads.judge(whole, AT);
    const first = { head: 'safe', block: block(1, '0x0x'), other: 'b', since: AT };
    expect(heads.mismatches).toEqual([first]);
    heads.report('safe', block(2, 'z'));
    heads.judge(whole, { watched: 2000, wall: 10_000 });
    expect(heads.mismatches).toEqual([{ ...first, block: block(2, 'z'), other: 'c' }]);
    heads.report('safe', block(2, 'c'));
    heads.judge(whole, AT);
    expect(heads.mismatches).toEqual([]);
    heads.report('safe', block(2, 'z'));
    heads.judge(whole, AT);
    heads.report('safe', block(2, 'c'));
    expect(heads.open).toEqual([2]);
  });
});
