import { describe, expect, test } from 'vitest';
import { ETHER, GWEI, headOf, noncesOf, poolOf, transfer } from '../support/pool.ts';

const FLAVOURS = ['go', 'rust'] as const;
/** Gas at 10 gwei, and the other fees. */
const COST = 21_000n * 10n * GWEI + 1000n;

describe.each(FLAVOURS)('%s', (flavour) => {
  test('transactions behind a nonce gap are queued, become pending when it closes, and are announced by nonce', () => {
    const { pool, announced } = poolOf(flavour);
    const [zero, one, two, four] = [0, 1, 2, 4].map((nonce) => transfer(1, nonce));
    for (const transaction of [four, two, zero]) pool.add(transaction!);
    expect(noncesOf(pool, 1)).toEqual({ pending: [0], queued: [2, 4] });
    expect(pool.counts).toEqual({ pending: 1, queued: 2 });
    expect(pool.pendingNonce(zero!.sender)).toBe(1n);
    expect(announced()).toEqual([zero!.hash]);
    pool.add(one!);
    expect(noncesOf(pool, 1)).toEqual({ pending: [0, 1, 2], queued: [4] });
    expect(pool.pendingNonce(zero!.sender)).toBe(3n);
    expect(announced()).toEqual([one!.hash, two!.hash]);
  });

  test('a replacement has the place of the old transaction and a new arrival', () => {
    const { pool, announced } = poolOf(flavour);
    const old = transfer(1, 1);
    const next = transfer(1, 1, { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 2n * GWEI });
    pool.add(transfer(1, 0));
    pool.add(old);
    pool.add(transfer(1, 2));
    announced();
    pool.add(next);
    expect(pool.get(old.hash)).toBeUndefined();
    expect(noncesOf(pool, 1)).toEqual({ pending: [0, 1, 2], queued: [] });
    expect(announced()).toEqual([next.hash]);
  });

  test('a new head removes included transactions, and a reorganisation restores them', () => {
    const { pool, announced } = poolOf(flavour);
    const all = [0, 1, 2].map((nonce) => transfer(1, nonce));
    for (const transaction of all) pool.add(transaction);
    announced();
    pool.reset(headOf({ 1: { nonce: 2 } }), []);
    expect(noncesOf(pool, 1)).toEqual({ pending: [2], queued: [] });
    pool.reset(headOf(), [all[0]!, all[1]!]);
    expect(noncesOf(pool, 1)).toEqual({ pending: [0, 1, 2], queued: [] });
    expect(announced()).toEqual([all[0]!.hash, all[1]!.hash, all[2]!.hash]);
  });

  test('a transaction leaves when another of its nonce is included, and later ones stay', () => {
    const { pool } = poolOf(flavour);
    for (const nonce of [0, 1, 3]) pool.add(transfer(1, nonce));
    pool.reset(headOf({ 1: { nonce: 1 } }), []);
    expect(noncesOf(pool, 1)).toEqual({ pending: [1], queued: [3] });
    pool.reset(headOf({ 1: { nonce: 3 } }), []);
    expect(noncesOf(pool, 1)).toEqual({ pending: [3], queued: [] });
    pool.reset(headOf({ 1: { nonce: 9 } }), []);
    expect(pool.size).toBe(0);
  });

  test('a reorganisation that leaves a nonce gap queues the transactions behind it', () => {
    const { pool } = poolOf(flavour, { view: headOf({ 1: { nonce: 5 } }) });
    pool.add(transfer(1, 5));
    pool.reset(headOf({ 1: { nonce: 3 } }), []);
    expect(noncesOf(pool, 1)).toEqual({ pending: [], queued: [5] });
    pool.add(transfer(1, 4));
    pool.add(transfer(1, 3));
    expect(noncesOf(pool, 1)).toEqual({ pending: [3, 4, 5], queued: [] });
  });

  test('a transaction that the block builder drops leaves a nonce gap', () => {
    const { pool } = poolOf(flavour);
    const all = [0, 1, 2].map((nonce) => transfer(1, nonce));
    for (const transaction of all) pool.add(transaction);
    pool.drop(all[1]!);
    expect(noncesOf(pool, 1)).toEqual({ pending: [0], queued: [2] });
    pool.drop(all[1]!);
    expect(pool.size).toBe(2);
  });

  test('a sender without transactions uses no memory', () => {
    const { pool } = poolOf(flavour);
    const only = transfer(1, 0);
    pool.add(only);
    pool.drop(only);
    expect(pool.content()).toEqual({ pending: new Map(), queued: new Map() });
    expect(pool.counts).toEqual({ pending: 0, queued: 0 });
  });
});

describe('a balance that falls', () => {
  const poor = headOf({ 1: { nonce: 0, balance: COST } });

  test('go: drops transactions that cost more than it, and queues later ones', () => {
    const { pool } = poolOf('go');
    for (const nonce of [0, 2]) pool.add(transfer(1, nonce));
    pool.add(transfer(1, 1, { value: ETHER }));
    pool.reset(poor, []);
    expect(noncesOf(pool, 1)).toEqual({ pending: [0], queued: [2] });
  });

  test('rust: parks transactions that exceed it, which are pending again when it rises', () => {
    const { pool, announced } = poolOf('rust');
    for (const nonce of [0, 1, 2]) pool.add(transfer(1, nonce));
    announced();
    pool.reset(poor, []);
    expect(noncesOf(pool, 1)).toEqual({ pending: [0], queued: [1, 2] });
    expect(pool.pendingNonce(transfer(1, 0).sender)).toBe(3n);
    pool.reset(headOf({ 1: { balance: 2n * COST } }), []);
    expect(noncesOf(pool, 1)).toEqual({ pending: [0, 1], queued: [2] });
    expect(announced()).toHaveLength(1);
  });

  test('has the same effect as a higher L1 fee', () => {
    const { pool } = poolOf('go', { view: headOf({ 1: { balance: COST } }) });
    pool.add(transfer(1, 0));
    pool.reset(headOf({ 1: { balance: COST } }, { extraFee: () => 1001n }), []);
    expect(pool.size).toBe(0);
  });
});

test('rust: a transaction with a fee cap below the base fee is parked until it falls, with later ones', () => {
  const { pool, announced } = poolOf('rust', { view: headOf({}, { baseFee: 20n * GWEI }) });
  pool.add(transfer(1, 0));
  pool.add(transfer(1, 1, { maxFeePerGas: 30n * GWEI }));
  expect(pool.counts).toEqual({ pending: 0, queued: 2 });
  expect(announced()).toEqual([]);
  pool.reset(headOf({}, { baseFee: 10n * GWEI }), []);
  expect(pool.counts).toEqual({ pending: 2, queued: 0 });
  expect(announced()).toHaveLength(2);
  pool.reset(headOf({}, { baseFee: 11n * GWEI }), []);
  expect(pool.counts).toEqual({ pending: 0, queued: 2 });
});

test('go: a transaction with a fee cap below the base fee is pending', () => {
  const { pool } = poolOf('go', { view: headOf({}, { baseFee: 20n * GWEI }) });
  pool.add(transfer(1, 0));
  expect(pool.counts).toEqual({ pending: 1, queued: 0 });
});

test('a block limit that falls below a transaction’s gas: go drops it, rust parks it', () => {
  const small = headOf({}, { gasLimit: 20_000n });
  const [go, rust] = [poolOf('go').pool, poolOf('rust').pool];
  for (const pool of [go, rust]) {
    pool.add(transfer(1, 0));
    pool.reset(small, []);
  }
  expect([go.counts, rust.counts]).toEqual([
    { pending: 0, queued: 0 },
    { pending: 0, queued: 1 },
  ]);
});

describe('go: limits', () => {
  const slots = { accountSlots: 2, globalSlots: 6, accountQueue: 3, globalQueue: 4 };

  test('an account has a maximum of queued transactions: a lower nonce evicts the highest', () => {
    const { pool } = poolOf('go', { slots });
    for (const nonce of [5, 6, 7]) pool.add(transfer(1, nonce));
    expect(() => pool.add(transfer(1, 8))).toThrow('txpool is full');
    pool.add(transfer(1, 3));
    expect(noncesOf(pool, 1)).toEqual({ pending: [], queued: [3, 5, 6] });
  });

  test('a full queue evicts the sender with the oldest activity, last nonce first', () => {
    const { pool, wait } = poolOf('go', { slots });
    for (const nonce of [5, 6]) pool.add(transfer(1, nonce));
    wait(1000);
    for (const nonce of [5, 6]) pool.add(transfer(2, nonce));
    wait(1000);
    pool.add(transfer(3, 5));
    expect([1, 2, 3].map((from) => noncesOf(pool, from).queued)).toEqual([[5], [5, 6], [5]]);
  });

  test('the account with most pending transactions loses its last ones, down to its guaranteed slots', () => {
    const { pool } = poolOf('go', { slots });
    for (let nonce = 0; nonce < 4; nonce++) pool.add(transfer(1, nonce));
    for (const from of [2, 3]) pool.add(transfer(from, 0));
    pool.add(transfer(2, 1));
    expect([1, 2, 3].map((from) => noncesOf(pool, from).pending)).toEqual([[0, 1, 2], [0, 1], [0]]);
    pool.add(transfer(3, 1));
    pool.add(transfer(4, 0));
    expect([1, 2, 3, 4].map((from) => noncesOf(pool, from).pending)).toEqual([[0, 1], [0, 1], [0, 1], [0]]);
  });

  test('a full pool evicts its cheapest transaction for one that pays more', () => {
    const { pool } = poolOf('go', { slots: { ...slots, accountSlots: 16 } });
    const tip = (wei: bigint) => ({ maxPriorityFeePerGas: wei });
    const cheap = transfer(1, 0, tip(2n));
    pool.add(cheap);
    for (let from = 2; from <= 10; from++) pool.add(transfer(from, 0, tip(5n)));
    expect(() => pool.add(transfer(20, 0, tip(2n)))).toThrow('transaction underpriced');
    expect(() => pool.add(transfer(20, 1, tip(3n)))).toThrow('future transaction tries to replace pending');
    expect(pool.get(cheap.hash)).toBe(cheap);
    pool.add(transfer(20, 0, tip(3n)));
    expect(pool.get(cheap.hash)).toBeUndefined();
    expect(pool.size).toBe(10);
  });

  test('the lowest fee cap is evicted first within the fifth with the lowest effective tip', () => {
    const { pool } = poolOf('go', { slots: { ...slots, accountSlots: 16 } });
    const shutOut = transfer(1, 0, { maxFeePerGas: GWEI - 1n, maxPriorityFeePerGas: 1n });
    const [poor, rich] = [2, 3].map((from) =>
      transfer(from, 0, { maxFeePerGas: 5n * GWEI, maxPriorityFeePerGas: BigInt(from) }),
    );
    pool.add(shutOut);
    pool.add(poor!);
    pool.add(rich!);
    for (let from = 4; from <= 10; from++) pool.add(transfer(from, 0, { maxPriorityFeePerGas: 9n }));
    pool.reset(headOf(), []);
    pool.add(transfer(20, 0, { maxPriorityFeePerGas: 4n }));
    expect(pool.get(shutOut.hash)).toBeUndefined();
    pool.add(transfer(21, 0, { maxFeePerGas: 6n * GWEI, maxPriorityFeePerGas: 1n }));
    expect(pool.get(poor!.hash)).toBeUndefined();
    expect(pool.get(rich!.hash)).toBe(rich);
    expect(() => pool.add(transfer(22, 0, { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: 1n }))).toThrow(
      'transaction underpriced',
    );
  });

  test('a transaction below the base fee is cheaper than any tip', () => {
    const { pool } = poolOf('go', { slots: { ...slots, accountSlots: 16 } });
    const below = transfer(1, 0, { maxFeePerGas: GWEI - 1n, maxPriorityFeePerGas: GWEI - 1n });
    pool.add(below);
    for (let from = 2; from <= 10; from++) pool.add(transfer(from, 0, { maxPriorityFeePerGas: 1n }));
    pool.add(transfer(20, 0, { maxPriorityFeePerGas: 1n }));
    expect(pool.get(below.hash)).toBeUndefined();
  });

  test('a transaction of 100 kB uses four slots', () => {
    const { pool } = poolOf('go', { slots: { ...slots, accountSlots: 16 } });
    for (let from = 1; from <= 7; from++) pool.add(transfer(from, 0, { maxPriorityFeePerGas: BigInt(from) }));
    pool.add(transfer(20, 0, { bytes: 100_000, maxPriorityFeePerGas: GWEI }));
    expect([1, 2].map((from) => noncesOf(pool, from).pending)).toEqual([[], [0]]);
  });

  test('a queued transaction expires after its lifetime, counted from the last promotion', () => {
    const { pool, wait } = poolOf('go', { settings: { lifetime: 1000 } });
    for (const nonce of [0, 2, 4]) pool.add(transfer(1, nonce));
    wait(900);
    pool.add(transfer(1, 1));
    wait(900);
    expect(pool.sweep()).toBe(0);
    wait(101);
    expect(pool.sweep()).toBe(1);
    expect(noncesOf(pool, 1)).toEqual({ pending: [0, 1, 2], queued: [] });
  });
});

test('go: the age of a queued transaction counts from its own entry to the queue', () => {
  const { pool, wait } = poolOf('go', { settings: { lifetime: 1000 } });
  const [zero, one, five] = [0, 1, 5].map((nonce) => transfer(1, nonce));
  for (const transaction of [zero, five]) pool.add(transaction!);
  pool.drop(five!);
  wait(5000);
  pool.add(transfer(1, 5));
  wait(900);
  expect(pool.sweep()).toBe(0);
  wait(101);
  expect(pool.sweep()).toBe(1);
  pool.add(one!);
  pool.drop(zero!);
  expect(noncesOf(pool, 1)).toEqual({ pending: [], queued: [1] });
  wait(900);
  expect(pool.sweep()).toBe(0);
  wait(101);
  expect(pool.sweep()).toBe(1);
});

describe('rust: limits', () => {
  const limit = (count: number, bytes = 1_000_000) => ({ count, bytes });

  test('a full pending pool evicts the cheapest of the last transactions of its senders', () => {
    const { pool } = poolOf('rust', { subpools: { pending: limit(3) } });
    const tip = (wei: bigint) => ({ maxPriorityFeePerGas: wei });
    pool.add(transfer(1, 0, tip(1n)));
    pool.add(transfer(1, 1, tip(9n)));
    pool.add(transfer(2, 0, tip(5n)));
    expect(() => pool.add(transfer(3, 0, tip(4n)))).toThrow('txpool is full');
    pool.add(transfer(3, 0, tip(6n)));
    expect([1, 2, 3].map((from) => noncesOf(pool, from).pending)).toEqual([[0, 1], [], [0]]);
    pool.add(transfer(4, 0, tip(10n)));
    pool.add(transfer(5, 0, tip(10n)));
    expect([1, 3, 4, 5].map((from) => noncesOf(pool, from).pending)).toEqual([[0], [], [0], [0]]);
  });

  test('a pool is also full by its bytes', () => {
    const { pool } = poolOf('rust', { subpools: { pending: limit(100, 1000) } });
    pool.add(transfer(1, 0, { bytes: 600 }));
    expect(() => pool.add(transfer(2, 0, { bytes: 600 }))).toThrow('txpool is full');
    pool.add(transfer(2, 0, { bytes: 400 }));
    expect(pool.counts.pending).toBe(2);
  });

  test('a full queue evicts from the newest sender', () => {
    const { pool } = poolOf('rust', { subpools: { queued: limit(2) } });
    pool.add(transfer(1, 5));
    pool.add(transfer(2, 5));
    expect(() => pool.add(transfer(2, 6))).toThrow('txpool is full');
    pool.add(transfer(2, 4));
    expect([1, 2].map((from) => noncesOf(pool, from).queued)).toEqual([[5], [4]]);
  });

  test('an account has a maximum of slots unless it is local; the next nonce always enters', () => {
    const { pool } = poolOf('rust', { settings: { noLocals: true }, subpools: { accountSlots: 2 } });
    for (const nonce of [1, 2]) pool.add(transfer(1, nonce));
    expect(() => pool.add(transfer(1, 3))).toThrow('account limit exceeded: pooled 2 txs');
    pool.add(transfer(1, 0));
    expect(noncesOf(pool, 1)).toEqual({ pending: [0, 1, 2], queued: [] });
  });

  test('queued transactions expire unless they are local', () => {
    for (const noLocals of [false, true]) {
      const { pool, wait } = poolOf('rust', { settings: { noLocals, lifetime: 1000 } });
      pool.add(transfer(1, 1));
      wait(1001);
      expect(pool.sweep()).toBe(noLocals ? 1 : 0);
    }
  });
});
