import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PoolError } from '../../../../src/nodes/execution/pool/pool-error.ts';
import type { SignedTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { GWEI, headOf, keyOf, poolOf, type ScriptedPool, sender, transfer } from '../support/pool.ts';

const SENDERS = [1, 2, 3, 4];
const NEVER = 1_000_000;

type Step =
  | { readonly kind: 'add'; from: number; ahead: number; price: number; value: number; bytes: number }
  | { readonly kind: 'block'; inclusions: readonly number[]; balance: number; baseFee: number }
  | { readonly kind: 'reorg'; back: number; baseFee: number }
  | { readonly kind: 'drop'; at: number }
  | { readonly kind: 'wait'; milliseconds: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        from: fc.constantFrom(...SENDERS),
        ahead: fc.integer({ min: -1, max: 6 }),
        price: fc.integer({ min: 1, max: 8 }),
        value: fc.integer({ min: 0, max: 40 }),
        bytes: fc.constantFrom(110, 110, 110, 70_000),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('block' as const),
        inclusions: fc.tuple(...SENDERS.map(() => fc.integer({ min: 0, max: 3 }))),
        balance: fc.integer({ min: 20, max: 120 }),
        baseFee: fc.integer({ min: 1, max: 6 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('reorg' as const),
        back: fc.integer({ min: 1, max: 4 }),
        baseFee: fc.integer({ min: 1, max: 6 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), at: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), milliseconds: fc.integer({ min: 1, max: 900 }) }),
    },
  ),
  { maxLength: 60 },
);

/** A chain of nonces, one balance and a base fee, with the transactions that its blocks took. */
class World {
  nonces = new Map(SENDERS.map((from) => [from, 0]));
  balance = 100n;
  baseFee = GWEI;
  readonly included = new Map<Hex, SignedTransaction>();

  view() {
    const accounts = Object.fromEntries(
      SENDERS.map((from) => [from, { nonce: this.nonces.get(from)!, balance: this.balance * 10n ** 14n }]),
    );
    return headOf(accounts, { baseFee: this.baseFee, extraFee: () => 5n });
  }
}

/** Runs the steps and calls `after` behind each. Returns the accepted transactions. */
function play(
  { pool, wait, announced }: ScriptedPool,
  world: World,
  plan: readonly Step[],
  after: (step: Step) => void,
): void {
  for (const step of plan) {
    const before = new Set(pendingHashes(pool));
    announced();
    switch (step.kind) {
      case 'add': {
        const nonce = Math.max(0, world.nonces.get(step.from)! + step.ahead);
        const price = BigInt(step.price) * GWEI;
        const transaction = transfer(step.from, nonce, {
          bytes: step.bytes,
          maxFeePerGas: price,
          maxPriorityFeePerGas: price / 2n,
          value: BigInt(step.value) * 10n ** 14n,
        });
        try {
          pool.add(transaction);
        } catch (error) {
          if (!(error instanceof PoolError)) throw error;
          expect(pool.get(transaction.hash)).toBeUndefined();
        }
        break;
      }
      case 'block': {
        SENDERS.forEach((from, index) => {
          for (const transaction of (pool.content().pending.get(keyOf(from)) ?? []).slice(0, step.inclusions[index])) {
            world.included.set(transaction.hash, transaction);
            world.nonces.set(from, Number(transaction.nonce) + 1);
          }
        });
        world.balance = BigInt(step.balance);
        world.baseFee = BigInt(step.baseFee) * GWEI;
        pool.reset(world.view(), []);
        break;
      }
      case 'reorg': {
        for (const from of SENDERS) world.nonces.set(from, Math.max(0, world.nonces.get(from)! - step.back));
        world.baseFee = BigInt(step.baseFee) * GWEI;
        const back = [...world.included.values()].filter(
          (transaction) => nonceAt(world, transaction) <= transaction.nonce,
        );
        for (const { hash } of back) world.included.delete(hash);
        pool.reset(world.view(), back);
        break;
      }
      case 'drop': {
        const entries = pool.entries();
        const dropped = entries[step.at % entries.length]?.transaction;
        if (dropped !== undefined) pool.drop(dropped);
        break;
      }
      case 'wait':
        wait(step.milliseconds);
        pool.sweep();
    }
    const now = pendingHashes(pool);
    const announcements = new Set(announced());
    for (const hash of now) if (!before.has(hash)) expect(announcements).toContain(hash);
    after(step);
  }
}

function nonceAt(world: World, transaction: SignedTransaction): bigint {
  return BigInt(world.nonces.get(transaction.sender[19]!)!);
}

function pendingHashes(pool: ScriptedPool['pool']): Hex[] {
  return pool
    .pending()
    .flat()
    .map(({ transaction }) => transaction.hash);
}

/** Checks the invariants of every pool. */
function checkBooks({ pool }: ScriptedPool, world: World): void {
  const { pending, queued } = pool.content();
  const [ready, waiting] = [[...pending.values()].flat(), [...queued.values()].flat()];
  const hashes = [...ready, ...waiting].map(({ hash }) => hash);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(pool.counts).toEqual({ pending: ready.length, queued: waiting.length });
  expect(pool.size).toBe(hashes.length);
  expect(new Set(pool.entries().map(({ transaction }) => transaction.hash))).toEqual(new Set(hashes));
  for (const transaction of [...ready, ...waiting]) {
    expect(pool.get(transaction.hash)).toBe(transaction);
    expect(transaction.nonce).toBeGreaterThanOrEqual(nonceAt(world, transaction));
  }
  for (const from of SENDERS) {
    const first = BigInt(world.nonces.get(from)!);
    const run = (pending.get(keyOf(from)) ?? []).map(({ nonce }) => nonce);
    expect(run).toEqual(run.map((_, at) => first + BigInt(at)));
    const all = new Set([...run, ...(queued.get(keyOf(from)) ?? []).map(({ nonce }) => nonce)]);
    let next = first;
    while (all.has(next)) next++;
    expect(pool.pendingNonce(sender(from))).toBe(next);
    expect(all.size).toBe(run.length + (queued.get(keyOf(from))?.length ?? 0));
  }
}

describe.each(['go', 'rust'] as const)(
  '%s: after any sequence of adding, replacing, blocks, reorganisations and drops',
  (flavour) => {
    test('the indexes agree, pending nonces have no gap, limits hold', () => {
      fc.assert(
        fc.property(steps, (plan) => {
          const world = new World();
          const settings = { lifetime: 2000, noLocals: true };
          const slots = { accountSlots: 2, globalSlots: 7, accountQueue: 3, globalQueue: 5 };
          const limit = { count: 5, bytes: 150_000 };
          const subpools = {
            pending: limit,
            basefee: { ...limit, count: 2 },
            queued: { ...limit, count: 3 },
            accountSlots: 4,
          };
          const scripted = poolOf(flavour, {
            view: world.view(),
            settings,
            ...(flavour === 'go' ? { slots } : { subpools }),
          });
          play(scripted, world, plan, () => {
            checkBooks(scripted, world);
            if (flavour === 'go') checkSlots(scripted, slots);
            else checkSubPools(scripted, world, subpools);
          });
        }),
        { numRuns: 120 },
      );
    });

    test('a pool below its limits has every transaction that was not replaced, included, dropped or unpayable', () => {
      fc.assert(
        fc.property(steps, (plan) => {
          const world = new World();
          const scripted = poolOf(flavour, {
            view: world.view(),
            settings: { lifetime: NEVER },
            ...(flavour === 'go'
              ? { slots: { accountSlots: NEVER, globalSlots: NEVER, accountQueue: NEVER, globalQueue: NEVER } }
              : {}),
          });
          const { pool } = scripted;
          const expected = new Map<string, SignedTransaction>();
          const placeOf = ({ sender: from, nonce }: SignedTransaction) => `${from[19]}:${nonce}`;
          pool.onEntry(({ transaction }) => expected.set(placeOf(transaction), transaction));
          const drop = pool.drop.bind(pool);
          pool.drop = (transaction) => {
            expected.delete(placeOf(transaction));
            drop(transaction);
          };
          const reset = pool.reset.bind(pool);
          pool.reset = (view, back) => {
            for (const [key, transaction] of expected) {
              const cost = transaction.gasLimit * transaction.maxFeePerGas + transaction.value + 5n;
              const unpayable = flavour === 'go' && cost > view.balance(transaction.sender);
              if (transaction.nonce < nonceAt(world, transaction) || unpayable) expected.delete(key);
            }
            reset(view, back);
          };
          play(scripted, world, plan, () => {
            expect(new Set(pool.entries().map(({ transaction }) => transaction))).toEqual(new Set(expected.values()));
          });
        }),
        { numRuns: 100 },
      );
    });
  },
);

function checkSlots(
  { pool }: ScriptedPool,
  slots: { accountSlots: number; globalSlots: number; accountQueue: number; globalQueue: number },
): void {
  const { pending, queued } = pool.content();
  let total = 0;
  for (const { slots: count } of pool.entries()) total += count;
  expect(total).toBeLessThanOrEqual(slots.globalSlots + slots.globalQueue);
  expect(pool.counts.queued).toBeLessThanOrEqual(slots.globalQueue);
  for (const list of queued.values()) expect(list.length).toBeLessThanOrEqual(slots.accountQueue);
  if (pool.counts.pending > slots.globalSlots)
    for (const list of pending.values()) expect(list.length).toBeLessThanOrEqual(slots.accountSlots);
}

function checkSubPools(
  { pool }: ScriptedPool,
  world: World,
  limits: Readonly<Record<'pending' | 'basefee' | 'queued', { count: number; bytes: number }>>,
): void {
  for (const subPool of ['pending', 'basefee', 'queued'] as const) {
    const entries = pool.entries().filter((entry) => entry.subPool === subPool);
    expect(entries.length).toBeLessThanOrEqual(limits[subPool].count);
    expect(entries.reduce((sum, { transaction }) => sum + transaction.raw.length, 0)).toBeLessThanOrEqual(
      limits[subPool].bytes,
    );
  }
  for (const list of pool.pending()) {
    const cost = list.reduce((sum, entry) => sum + entry.cost, 0n);
    expect(cost).toBeLessThanOrEqual(world.view().balance(list[0]!.transaction.sender));
    for (const { transaction } of list) expect(transaction.maxFeePerGas).toBeGreaterThanOrEqual(world.baseFee);
  }
}
