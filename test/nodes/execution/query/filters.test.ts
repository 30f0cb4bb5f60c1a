import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BlockPath } from '../../../../src/nodes/execution/chain/block.ts';
import type { HeadChange } from '../../../../src/nodes/execution/chain/chain.ts';
import { Filters } from '../../../../src/nodes/execution/query/filters.ts';
import type { SignedTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { present } from '../../../../src/protocol/present.ts';
import { transfer } from '../support/pool.ts';

const LIFETIME_MS = 300_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const path = () => new BlockPath([], () => expect.fail('a filter reads no block'));
const change = (): HeadChange => ({ removed: path(), added: path() });

/** Filters of a chain and a pool that a test moves. */
function opened({ filters: limit = 10 } = {}) {
  const heads = new Set<(change: HeadChange) => void>();
  const transactions = new Set<(transaction: SignedTransaction) => void>();
  /** Returns the function that subscribes listeners to a list. */
  const on =
    <Listener>(listeners: Set<Listener>) =>
    (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
  const chain = { onHead: on(heads) };
  const pool = { onPending: on(transactions) };
  const filters = new Filters(chain, pool, { filters: limit, filterLifetime: LIFETIME_MS });
  return {
    filters,
    changeHead(head = change()) {
      for (const tell of heads) tell(head);
      return head;
    },
    enter(transaction = transfer(1, 0)) {
      for (const tell of transactions) tell(transaction);
      return transaction;
    },
  };
}

const LOGS = { kind: 'logs', filter: {} } as const;
const BLOCKS = { kind: 'blocks' } as const;
const PENDING = { kind: 'pending', full: false } as const;

describe('a filter', () => {
  it('is found by its id as it was installed, until it is removed', () => {
    const { filters } = opened();
    const id = present(filters.add({ kind: 'pending', full: true }), 'id');
    expect(filters.get(id)).toMatchObject({ kind: 'pending', full: true, heads: [], transactions: [] });
    expect(filters.get('0x1')).toBeUndefined();
    expect([filters.remove(id), filters.remove(id)]).toEqual([true, false]);
    expect(filters.get(id)).toBeUndefined();
  });

  it('has an id that is a quantity, and that no other one has', () => {
    const { filters } = opened();
    const ids = [filters.add(BLOCKS), filters.add(BLOCKS)];
    for (const id of ids) expect(id).toMatch(/^0x[1-9a-f][0-9a-f]{8,31}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('keeps the changes since it was installed: heads, or for pending ones transactions', () => {
    const { filters, changeHead, enter } = opened();
    changeHead();
    enter();
    const [logs, blocks, pending] = [LOGS, BLOCKS, PENDING].map((subject) => present(filters.add(subject), 'id'));
    const changes = [changeHead(), changeHead()];
    const transaction = enter();
    for (const id of [logs, blocks])
      expect(filters.get(present(id, 'id'))).toMatchObject({ heads: changes, transactions: [] });
    expect(filters.get(present(pending, 'id'))).toMatchObject({ heads: [], transactions: [transaction] });
  });

  it('keeps at most 10,000 changes, the first ones', () => {
    const { filters, changeHead, enter } = opened();
    const [blocks, pending] = [BLOCKS, PENDING].map((subject) => present(filters.add(subject), 'id'));
    const first = changeHead();
    const transaction = enter();
    for (let more = 0; more < 10_000; more++) {
      changeHead();
      enter(transaction);
    }
    const { heads } = present(filters.get(present(blocks, 'id')), 'filter');
    expect([heads.length, heads[0]]).toEqual([10_000, first]);
    expect(filters.get(present(pending, 'id'))?.transactions).toHaveLength(10_000);
  });

  it('has no changes after they are forgotten, and those that follow', () => {
    const { filters, changeHead, enter } = opened();
    const [blocks, pending] = [BLOCKS, PENDING].map((subject) => present(filters.add(subject), 'id'));
    changeHead();
    enter();
    filters.forgetChanges();
    const found = [blocks, pending].map((id) => present(filters.get(present(id, 'id')), 'filter'));
    expect(found.map(({ heads, transactions }) => heads.length + transactions.length)).toEqual([0, 0]);
    changeHead();
    enter();
    expect(found.map(({ heads, transactions }) => heads.length + transactions.length)).toEqual([1, 1]);
  });

  it('ends when it was not polled for its lifetime', () => {
    const { filters } = opened();
    const [polled, forgotten] = [BLOCKS, BLOCKS].map((subject) => present(filters.add(subject), 'id'));
    vi.advanceTimersByTime(LIFETIME_MS);
    expect(filters.get(present(polled, 'id'))).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(filters.get(present(forgotten, 'id'))).toBeUndefined();
    vi.advanceTimersByTime(LIFETIME_MS - 1);
    expect(filters.get(present(polled, 'id'))).toBeDefined();
  });

  it('is refused at the limit, until one is removed or ends', () => {
    const { filters } = opened({ filters: 2 });
    const [first] = [filters.add(BLOCKS), filters.add(PENDING)];
    expect(filters.add(BLOCKS)).toBeUndefined();
    filters.remove(present(first, 'id'));
    expect(filters.add(BLOCKS)).toBeDefined();
    expect(filters.add(BLOCKS)).toBeUndefined();
    vi.advanceTimersByTime(LIFETIME_MS + 1);
    expect(filters.add(BLOCKS)).toBeDefined();
  });
});
