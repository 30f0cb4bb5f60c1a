import { describe, expect, test } from 'vitest';
import { PoolError } from '../../../../src/nodes/execution/pool/pool-error.ts';
import { ethereumRulesAt } from '../../../../src/protocol/forks/ethereum.ts';
import { ETHER, GWEI, headOf, keyOf, noncesOf, poolOf, sender, transfer } from '../support/pool.ts';

/** Gas at 10 gwei, and the other fees. */
const COST = 21_000n * 10n * GWEI + 1000n;
const tip = (wei: bigint) => ({ maxPriorityFeePerGas: wei });
const broken = headOf(
  {},
  {
    extraFee: () => {
      throw new Error('no state');
    },
  },
);
const CONDITION = {
  knownAccounts: new Map(),
  blockNumberMin: undefined,
  blockNumberMax: 9n,
  timestampMin: undefined,
  timestampMax: undefined,
};

test('listeners of a pool hear each entry and each pending transaction until they unsubscribe', () => {
  const { pool } = poolOf('go');
  const heard: string[] = [];
  const stops = [
    pool.onPending(({ nonce }) => heard.push(`pending ${nonce}`)),
    pool.onEntry(({ transaction }) => heard.push(`entry ${transaction.nonce}`)),
  ];
  for (const nonce of [1, 0]) pool.add(transfer(1, nonce));
  expect(heard).toEqual(['entry 1', 'entry 0', 'pending 0', 'pending 1']);
  for (const stop of stops) stop();
  pool.add(transfer(1, 2));
  expect(heard).toHaveLength(4);
});

describe('the content of a pool', () => {
  const { pool } = poolOf('go');
  for (const [from, nonce] of [
    [1, 0],
    [1, 2],
    [2, 0],
    [3, 5],
  ] as const)
    pool.add(transfer(from, nonce));

  test('names senders with pending and with queued transactions', () => {
    const { pending, queued } = pool.content();
    expect([[...pending.keys()], [...queued.keys()]]).toEqual([
      [keyOf(1), keyOf(2)],
      [keyOf(1), keyOf(3)],
    ]);
  });

  test.each([
    [1, [keyOf(1)], [keyOf(1)]],
    [2, [keyOf(2)], []],
    [3, [], [keyOf(3)]],
    [4, [], []],
  ])('of sender %s has that sender alone', (from, ...keys) => {
    const { pending, queued } = pool.content(keyOf(from));
    expect([[...pending.keys()], [...queued.keys()]]).toEqual(keys);
  });

  test('is in order of arrival, also after a replacement', () => {
    const { pool: other } = poolOf('go');
    for (const [from, nonce] of [
      [2, 0],
      [1, 0],
      [3, 0],
    ] as const)
      other.add(transfer(from, nonce));
    other.add(transfer(2, 0, { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 2n * GWEI }));
    expect(other.entries().map(({ key }) => key)).toEqual([1, 3, 2].map(keyOf));
    const arrivals = other.entries().map(({ arrival }) => arrival);
    expect(arrivals).toEqual(arrivals.toSorted((one, two) => one - two));
  });
});

describe('an entry of a pool', () => {
  const entryWith = (fields: Parameters<typeof transfer>[2]) => {
    const { pool, wait } = poolOf('rust');
    wait(7);
    pool.add(transfer(1, 0, fields));
    return pool.entries()[0]!;
  };

  test.each([
    [110, 1],
    [32 * 1024, 1],
    [32 * 1024 + 1, 2],
    [64 * 1024, 2],
  ])('of %i bytes takes %i slots', (bytes, slots) => {
    expect(entryWith({ bytes }).slots).toBe(slots);
  });

  test('costs its gas at the fee cap, its value and the fees of the head', () => {
    const { cost, fixedCost, since, authorities } = entryWith({ value: 9n });
    expect([fixedCost, cost, since]).toEqual([COST - 1000n + 9n, COST + 9n, 7]);
    expect(authorities).toEqual([]);
  });

  test('costs its blobs at their fee cap, and needs their sidecar', () => {
    const { pool } = poolOf('go', { view: headOf({}, { rules: ethereumRulesAt({ shanghai: 0, cancun: 0 }, 10n) }) });
    const blobs = { type: 3 as const, blobVersionedHashes: [sender(1), sender(2)], maxFeePerBlobGas: 5n };
    const [one, two] = [transfer(1, 0, blobs), transfer(2, 0, { ...blobs, maxFeePerBlobGas: undefined as never })];
    expect(() => pool.add(one)).toThrow('missing sidecar in blob transaction');
    const sidecar = { version: 0, blobs: [], commitments: [], proofs: [] } as const;
    for (const transaction of [one, two]) {
      pool.sidecars.add(transaction.hash, sidecar);
      pool.add(transaction);
    }
    expect(pool.entries().map(({ fixedCost }) => fixedCost - COST + 1000n)).toEqual([2n * 131_072n * 5n, 0n]);
  });

  test('behind a nonce gap is no offer to the payload builder', () => {
    const { pool } = poolOf('go');
    pool.add(transfer(1, 5));
    expect(pool.pending()).toEqual([]);
  });

  test('of an account that is unknown follows the nonce of the state', () => {
    const { pool } = poolOf('go', { view: headOf({ 1: { nonce: 4 } }) });
    expect([pool.pendingNonce(sender(1)), pool.pendingNonce(sender(2))]).toEqual([4n, 0n]);
    pool.add(transfer(1, 4));
    pool.add(transfer(1, 6));
    expect([pool.pendingNonce(sender(1)), pool.size, pool.counts]).toEqual([5n, 2, { pending: 1, queued: 1 }]);
    expect(pool.pending().map((list) => list.map(({ transaction }) => transaction.nonce))).toEqual([[4n]]);
  });
});

describe('the age of queued transactions in the go client', () => {
  test('counts from the first, when another is queued later', () => {
    const { pool, wait } = poolOf('go', { settings: { lifetime: 1000 } });
    pool.add(transfer(1, 5));
    wait(900);
    pool.add(transfer(1, 6));
    wait(101);
    expect(pool.sweep()).toBe(2);
  });

  test('does not count the time before, when only pending ones were there', () => {
    const { pool, wait } = poolOf('go', { settings: { lifetime: 1000 } });
    pool.add(transfer(1, 0));
    wait(900);
    pool.add(transfer(1, 5));
    wait(900);
    expect(pool.sweep()).toBe(0);
    wait(101);
    expect(pool.sweep()).toBe(1);
  });

  test('stays within the lifetime to its last millisecond', () => {
    const { pool, wait } = poolOf('go', { settings: { lifetime: 1000 } });
    pool.add(transfer(1, 5));
    wait(1000);
    expect(pool.sweep()).toBe(0);
    wait(1);
    expect(pool.sweep()).toBe(1);
  });
});

describe('a new head', () => {
  test('changes the order of eviction with its base fee', () => {
    const { pool } = poolOf('rust', {
      subpools: { pending: { count: 2, bytes: 1_000_000 } },
      view: headOf({}, { baseFee: 1n }),
    });
    const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas });
    pool.add(transfer(1, 0, fees(10n, 5n)));
    pool.add(transfer(2, 0, fees(100n, 3n)));
    expect(() => pool.add(transfer(3, 0, fees(100n, 2n)))).toThrow('txpool is full');
    // At a base fee of 8, sender 1 pays 2 and sender 2 pays 3.
    pool.reset(headOf({}, { baseFee: 8n }), []);
    pool.add(transfer(4, 0, fees(100n, 9n)));
    expect([1, 2, 4].map((from) => noncesOf(pool, from).pending)).toEqual([[], [0], [0]]);
  });

  test('announces no transaction that it promotes and evicts at once', () => {
    const { pool, announced } = poolOf('rust', {
      subpools: { pending: { count: 1, bytes: 1_000_000 } },
      view: headOf({}, { baseFee: 20n * GWEI }),
    });
    pool.add(transfer(1, 0, tip(1n)));
    pool.add(transfer(2, 0, tip(2n)));
    pool.reset(headOf(), []);
    expect(announced()).toEqual(pool.entries().map(({ transaction }) => transaction.hash));
    expect(noncesOf(pool, 2).pending).toEqual([0]);
    expect(pool.size).toBe(1);
  });

  test('restores transactions of removed blocks with the privileges of a local user', () => {
    const { pool, wait } = poolOf('rust', { settings: { lifetime: 1000 } });
    pool.reset(headOf(), [transfer(1, 5)]);
    wait(1001);
    expect(pool.sweep()).toBe(0);
  });

  test('skips those that the pool rejects, and throws when the state fails', () => {
    const { pool } = poolOf('go');
    pool.reset(headOf({ 1: { nonce: 3 } }), [transfer(1, 2), transfer(1, 3)]);
    expect(noncesOf(pool, 1)).toEqual({ pending: [3], queued: [] });
    expect(() => poolOf('go').pool.reset(broken, [transfer(1, 0)])).toThrow('no state');
  });
});

describe('a replaced pool', () => {
  test('has the transactions of the earlier moment alone, with origin and condition', () => {
    const earlier = poolOf('rust').pool;
    earlier.add(transfer(1, 0), { local: false, condition: CONDITION });
    earlier.add(transfer(2, 0), { local: true });
    const { pool } = poolOf('rust');
    for (const nonce of [0, 1]) pool.add(transfer(3, nonce));
    pool.replace(headOf(), earlier.entries());
    expect(pool.entries().map(({ key, local, condition }) => ({ key, local, condition }))).toEqual([
      { key: keyOf(1), local: false, condition: CONDITION },
      { key: keyOf(2), local: true, condition: undefined },
    ]);
    const [one, two] = pool.entries();
    expect(pool.conditionOf(one!.transaction.hash)).toBe(CONDITION);
    expect(pool.conditionOf(two!.transaction.hash)).toBeUndefined();
    expect(pool.conditionOf(`0x${'00'.repeat(32)}`)).toBeUndefined();
  });

  test('has the head of that moment, and skips transactions that it rejects', () => {
    const earlier = poolOf('go').pool;
    for (const nonce of [0, 1]) earlier.add(transfer(1, nonce));
    const { pool } = poolOf('go');
    pool.replace(headOf({ 1: { nonce: 1 } }), earlier.entries());
    expect(noncesOf(pool, 1)).toEqual({ pending: [1], queued: [] });
    expect(pool.pendingNonce(sender(1))).toBe(2n);
    expect(() => poolOf('go').pool.replace(broken, earlier.entries())).toThrow('no state');
  });
});

test('a dropped transaction leaves no more behind the gap than the limit of an account', () => {
  const slots = { accountSlots: 16, globalSlots: 100, accountQueue: 3, globalQueue: 100 };
  const { pool } = poolOf('go', { slots });
  const all = [0, 1, 2, 3, 4, 5].map((nonce) => transfer(1, nonce));
  for (const transaction of all) pool.add(transaction);
  pool.drop(all[0]!);
  expect(noncesOf(pool, 1)).toEqual({ pending: [], queued: [1, 2, 3] });
});

test('a transaction with an invalid authorization is pooled without its authority', () => {
  const { pool } = poolOf('go');
  const invalid = { chainId: 0n, address: sender(9), nonce: 0n, yParity: 2n, r: 1n, s: 1n };
  pool.add(transfer(1, 0, { type: 4, gasLimit: 100_000n, authorizationList: [invalid] }));
  expect(pool.entries().map(({ authorities }) => authorities)).toEqual([[]]);
});

describe('a delegated account in the rust client', () => {
  const view = headOf({ 1: { code: Uint8Array.of(0xef, 1, 0, ...sender(9)) } }, { baseFee: 20n * GWEI });
  test('has no nonce gap when its transaction waits for a lower base fee', () => {
    const { pool } = poolOf('rust', { view });
    pool.add(transfer(1, 0));
    expect(() => pool.add(transfer(1, 1))).toThrow('gapped-nonce tx from delegated accounts');
    pool.add(transfer(1, 0, { maxFeePerGas: 12n * GWEI, maxPriorityFeePerGas: 2n * GWEI }));
    expect(pool.size).toBe(1);
  });
});

describe('privileges of a local user', () => {
  const settings = { minTip: 5n };
  const problem = (options: Parameters<typeof poolOf>[1], local: boolean) => {
    try {
      poolOf('rust', options).pool.add(transfer(1, 0, tip(4n)), { local });
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      return [error.name, error.problem];
    }
    return undefined;
  };
  const rejection = ['PoolError', { kind: 'tip below option', tip: 4n, least: 5n }];
  test.each<[string, Parameters<typeof poolOf>[1], boolean, unknown]>([
    ['are those of a transaction sent here', { settings }, true, undefined],
    ['are not those of others', { settings }, false, rejection],
    ['are those of a named account', { settings: { ...settings, locals: new Set([keyOf(1)]) } }, false, undefined],
    ['are not those of another account', { settings: { ...settings, locals: new Set([keyOf(2)]) } }, false, rejection],
    ['are switched off', { settings: { ...settings, noLocals: true } }, true, rejection],
  ])('%s', (_, options, local, expected) => {
    expect(problem(options, local)).toEqual(expected);
  });
});

test('a fall of the balance parks what the rust client cannot pay, to the last wei', () => {
  const { pool } = poolOf('rust');
  for (const nonce of [0, 1]) pool.add(transfer(1, nonce));
  pool.reset(headOf({ 1: { balance: 2n * COST } }), []);
  expect(noncesOf(pool, 1).pending).toEqual([0, 1]);
  pool.reset(headOf({ 1: { balance: 2n * COST - 1n } }), []);
  expect(noncesOf(pool, 1)).toEqual({ pending: [0], queued: [1] });
  pool.reset(headOf({ 1: { balance: ETHER } }), []);
  expect(noncesOf(pool, 1).pending).toEqual([0, 1]);
});
