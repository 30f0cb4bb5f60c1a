import { expect, test } from 'vitest';
import { decodeDeposit } from '../../../src/protocol/codec/deposit.ts';
import { rollupOf } from '../../../src/protocol/derivation/rollup.ts';
import { FORKS, type ForkName, rulesAt } from '../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import { headerBlobSchedule } from '../../../src/protocol/rules/l1-blob-fee/l1-schedule.ts';
import type { RollupConfig, UpgradeBundle } from '../../../src/protocol/types.ts';
import { forksUpTo } from './scripted/rollup.ts';

const bundle: UpgradeBundle = {
  metadata: { version: '1.0.0' },
  transactions: [
    { intent: 'Deployment', from: `0x42${'10'.repeat(19)}`, to: null, gasLimit: 500_000, data: '0x6000' },
    { intent: 'Update', from: `0x${'00'.repeat(20)}`, to: `0x42${'00'.repeat(19)}`, gasLimit: 50_000, data: '0x' },
  ],
};
const bundles = Object.fromEntries(FORKS.map(({ name }) => [name, bundle]));
const BLOCK_TIME = 2;
const ACTIVATION = 1000;
const config = { block_time: BLOCK_TIME } as RollupConfig;

/** A rollup with the forks up to one at genesis, and the one after it at `ACTIVATION`. */
const activating = (base: ForkName, fork: ForkName, more: Partial<RollupConfig> = {}) =>
  rollupOf({ ...config, ...more }, { schedule: { ...forksUpTo(base), [fork]: ACTIVATION }, bundles });

test('a rollup has the fork times of its configuration when it is given none', () => {
  const rollup = rollupOf({ ...config, regolith_time: 0, canyon_time: 0, delta_time: ACTIVATION } as RollupConfig);
  expect([0, ACTIVATION - 1, ACTIVATION].map((time) => rollup.rulesAt(time).fork)).toEqual([
    'canyon',
    'canyon',
    'delta',
  ]);
  expect(rollup.config.block_time).toBe(BLOCK_TIME);
});

test('a rollup has the fork times that it is given in place of those of its configuration', () => {
  const rollup = rollupOf({ ...config, regolith_time: 0, canyon_time: 0 } as RollupConfig, {
    schedule: { regolith: ACTIVATION },
  });
  expect([rollup.rulesAt(0).fork, rollup.rulesAt(BigInt(ACTIVATION)).fork]).toEqual(['bedrock', 'regolith']);
});

test('a rollup has the blob schedule that it is given, else that of the headers of L1', () => {
  const l1BlobSchedule = () => 7n;
  expect(rollupOf(config).l1BlobSchedule).toBe(headerBlobSchedule);
  expect(rollupOf(config, { l1BlobSchedule }).l1BlobSchedule).toBe(l1BlobSchedule);
});

test('the block of an activation still makes the L1 attributes call of its parent, and the next one its own', () => {
  const rollup = activating('delta', 'ecotone');
  const codecAt = (time: number) => rollup.l1AttributesAt(time).encode;
  const [before, after] = [forksUpTo('delta'), forksUpTo('ecotone')].map((schedule) => {
    return rulesAt(schedule, 0).l1Attributes.encode;
  });
  expect(before).not.toBe(after);
  expect([ACTIVATION, ACTIVATION + 1, ACTIVATION + BLOCK_TIME].map(codecAt)).toEqual([before, before, after]);
});

test('a block has no activation when no fork activates with it', () => {
  const rollup = activating('isthmus', 'jovian');
  expect([ACTIVATION - 1, ACTIVATION + BLOCK_TIME].map((time) => rollup.activationAt(time))).toEqual([null, null]);
});

test.each<[ForkName, ForkName, Partial<RollupConfig>, object]>([
  ['bedrock', 'regolith', {}, { transactions: 0, gas: 0, gasToStrip: 0, noTxPool: false, emptyBatch: false }],
  ['fjord', 'granite', {}, { transactions: 0, gas: 0, gasToStrip: 0, noTxPool: false, emptyBatch: false }],
  ['delta', 'ecotone', {}, { transactions: 2, gas: 0, gasToStrip: 0, noTxPool: true, emptyBatch: false }],
  ['isthmus', 'jovian', {}, { transactions: 2, gas: 0, gasToStrip: 0, noTxPool: true, emptyBatch: true }],
  ['jovian', 'karst', {}, { transactions: 2, gas: 550_000, gasToStrip: 550_000, noTxPool: true, emptyBatch: true }],
  [
    'jovian',
    'karst',
    { keep_karst_upgrade_gas: true },
    { transactions: 2, gas: 550_000, gasToStrip: 0, noTxPool: true, emptyBatch: true },
  ],
])('after %s, the activation of %s with %j has its properties', (base, fork, more, expected) => {
  const activation = activating(base, fork, more).activationAt(BigInt(ACTIVATION));
  expect({ ...activation, transactions: activation?.transactions.length }).toEqual(expected);
});

test('the transactions of an activation are the deposits of its bundle', () => {
  const { transactions = [] } = activating('isthmus', 'jovian').activationAt(ACTIVATION) ?? {};
  const deposits = transactions.map((encoded) => decodeDeposit(hexToBytes(encoded)));
  expect(deposits.map(({ from, to, gas, data }) => ({ from, to, gasLimit: Number(gas), data }))).toEqual(
    bundle.transactions.map(({ from, to, gasLimit, data }) => ({ from, to, gasLimit, data })),
  );
});

test('the activation of a fork whose bundle is missing is refused', () => {
  const rollup = rollupOf(config, { schedule: { ...forksUpTo('isthmus'), jovian: ACTIVATION } });
  expect(() => rollup.activationAt(ACTIVATION)).toThrow(
    expect.objectContaining({ code: 'bundle-missing', handling: 'fatal', data: { fork: 'jovian' } }),
  );
});
