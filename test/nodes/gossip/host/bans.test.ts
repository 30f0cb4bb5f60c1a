import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Ban, banBook } from '../../../../src/nodes/gossip/host/bans.ts';
import { LAST_TIME } from '../../../../src/system/time/clock.ts';

const NOW = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => vi.useRealTimers());

function bookOf(bans: readonly Ban[] = []) {
  const ended: string[] = [];
  return { book: banBook(bans, (id) => ended.push(id)), ended };
}

describe('the ban of a peer', () => {
  it('lasts until its time, and ends once', () => {
    const { book, ended } = bookOf([{ id: 'a', until: NOW + 2 }]);
    book.ban('b', NOW + 1);
    expect([book.isBanned('a'), book.isBanned('b'), book.isBanned('c')]).toEqual([true, true, false]);
    expect(book.all()).toEqual([
      { id: 'a', until: NOW + 2 },
      { id: 'b', until: NOW + 1 },
    ]);
    vi.setSystemTime(NOW + 1);
    expect(ended).toEqual([]);
    expect(book.all()).toEqual([{ id: 'a', until: NOW + 2 }]);
    expect([book.isBanned('b'), book.isBanned('b')]).toEqual([false, false]);
    expect(ended).toEqual(['b']);
  });

  it('ends early when it is lifted, and only if there is one', () => {
    const { book, ended } = bookOf([{ id: 'a', until: NOW + 9 }]);
    book.lift('a');
    book.lift('b');
    expect(book.isBanned('a')).toBe(false);
    expect(ended).toEqual(['a']);
  });

  it('lasts at most to the last time of a clock', () => {
    const { book } = bookOf();
    book.ban('a', Number.MAX_VALUE);
    expect(book.all()).toEqual([{ id: 'a', until: LAST_TIME }]);
  });
});
