import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import type { ForkName } from '../../../src/protocol/forks/index.ts';
import { type ChannelPlan, FAULTS, MAX_RLP, refusedTransaction } from './model/channel-plan.ts';
import { DELIVERIES, History, type Step } from './model/history.ts';
import { startVerifier } from './model/verifier.ts';
import { GENESIS_TIME, testRollup } from './scripted/rollup.ts';

const NONCES = 900;
const REFUSED = new Set(Array.from({ length: NONCES + 1 }, (_, nonce) => refusedTransaction(nonce)));

/** Channels of these tests are small, so that one beyond all limits is small too. */
function smallRollup(fork: ForkName): Rollup {
  const rollup = testRollup(fork);
  const rules = rollup.rulesAt(GENESIS_TIME);
  const small = { ...rules, channels: { ...rules.channels, maxRlpBytes: MAX_RLP } };
  return { ...rollup, rulesAt: () => small };
}

const plan = (compression: readonly ChannelPlan['compression'][]): fc.Arbitrary<ChannelPlan> =>
  fc.record({
    type: fc.constantFrom('singular' as const, 'span' as const),
    compression: fc.constantFrom(...compression),
    blocks: fc.integer({ min: 1, max: 6 }),
    at: fc.nat(5),
    fault: fc.constantFrom(...FAULTS),
    overlap: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
    isEager: fc.boolean(),
    transactions: fc.nat(2),
    nonce: fc.integer({ min: 1, max: NONCES }),
  });

const step = (compression: readonly ChannelPlan['compression'][]): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('post' as const),
        plan: plan(compression),
        delivery: fc.constantFrom(...DELIVERIES, 'whole' as const, 'whole' as const, 'whole' as const),
        frames: fc.integer({ min: 1, max: 4 }),
        gap: fc.integer({ min: 1, max: 8 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('mine' as const),
        after: fc.constantFrom(1, 2, 6, 6, 6, 7, 13, 30),
        deposits: fc.nat(2),
        count: fc.constant(1),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('mine' as const),
        after: fc.constantFrom(2, 6),
        deposits: fc.constant(0),
        count: fc.integer({ min: 5, max: 16 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 20 }) }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'look' as const }) },
  );

/** Of each fork; `make histories` runs many more. */
const RUNS = Number(process.env['HISTORIES'] ?? 60);

describe.each<[ForkName, boolean, readonly ChannelPlan['compression'][]]>([
  ['ecotone', false, ['zlib']],
  ['granite', false, ['zlib', 'brotli']],
  ['holocene', true, ['zlib', 'brotli']],
])('any history of L1 (%s)', (fork, isStrict, compression) => {
  test('is derived to the chain of the model, and derivation ends', async () => {
    let blocks = 0;
    let withUsers = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step(compression), { minLength: 5, maxLength: 40 }), async (steps) => {
        const rollup = smallRollup(fork);
        const history = new History(rollup, isStrict);
        const verifier = await startVerifier(rollup, history.l1, REFUSED);
        for (const one of [
          ...steps,
          { kind: 'mine', after: 6, deposits: 0, count: 1 } as const,
          { kind: 'look' } as const,
        ]) {
          if (one.kind !== 'look') {
            history.take(one);
            continue;
          }
          history.outgrow();
          expect(await verifier.follow()).toEqual(history.expected());
        }
        const fresh = await startVerifier(rollup, history.l1, REFUSED);
        expect(await fresh.follow()).toEqual(history.expected());
        blocks += history.expected().length;
        withUsers += history.blocksWithTransactions();
      }),
      { numRuns: RUNS },
    );
    // The histories are no idle ones: most of them have chains, and chains have what was posted.
    expect(blocks).toBeGreaterThan(5 * RUNS);
    expect(withUsers).toBeGreaterThan(RUNS);
  }, 600_000);
});
