import { describe, expect, it } from 'vitest';
import { defineFork } from '../../../src/protocol/forks/fork.ts';
import {
  FORKS,
  type ForkName,
  findFork,
  forcedCodeAt,
  forksNeedingBundle,
  KEEP_GAS_KEYS,
  RESERVED_FORKS,
  rollupConfigTimes,
  rulesAt,
  scheduleOf,
  scheduleOfGenesis,
  upgradeGasToStrip,
} from '../../../src/protocol/forks/index.ts';
import { inOrder } from '../../../src/protocol/forks/order.ts';
import { regolith } from '../../../src/protocol/forks/regolith.ts';
import type { RollupConfig, UpgradeBundle } from '../../../src/protocol/types.ts';

const chain = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);
const rulesOf = (name: ForkName) =>
  rulesAt(Object.fromEntries(chain.slice(1, chain.indexOf(name) + 1).map((fork) => [fork, 0])), 0);

/** Addresses of precompiles by the last byte. */
const limitsOf = (name: ForkName) =>
  Object.fromEntries(
    Object.entries(rulesOf(name).precompiles.inputLimits).map(([address, bytes]) => [Number(address), bytes]),
  );

describe('the rules of a fork', () => {
  it.each<[ForkName, boolean, boolean]>([
    ['bedrock', false, false],
    ['regolith', true, false],
    ['canyon', true, true],
    ['karst', true, true],
  ])('%s: deposits are metered: %s, and their receipts have a version: %s', (name, metered, receiptVersion) => {
    expect(rulesOf(name).deposit).toEqual({ metered, receiptVersion });
  });

  it.each<[ForkName, Record<number, number>]>([
    ['bedrock', {}],
    ['fjord', {}],
    ['granite', { 8: 112_687 }],
    ['holocene', { 8: 112_687 }],
    ['isthmus', { 8: 112_687, 12: 513_760, 14: 488_448, 15: 235_008 }],
    ['jovian', { 8: 81_984, 12: 288_960, 14: 278_784, 15: 156_672 }],
    ['karst', { 8: 57_600, 12: 288_960, 14: 278_784, 15: 156_672 }],
  ])('%s bounds the inputs of precompiles: %j', (name, limits) => {
    expect(limitsOf(name)).toEqual(limits);
  });

  it.each<[ForkName, number | undefined, number | undefined]>([
    ['ecotone', undefined, undefined],
    ['fjord', 3450, undefined],
    ['granite', 3450, undefined],
    ['jovian', 3450, undefined],
    ['karst', 6900, 16_777_216],
  ])('%s: P256VERIFY costs %s gas, a transaction has at most %s', (name, p256VerifyGas, transactionGasCap) => {
    const { precompiles } = rulesOf(name);
    expect([precompiles.p256VerifyGas, precompiles.transactionGasCap]).toEqual([p256VerifyGas, transactionGasCap]);
  });

  it.each<[ForkName, readonly [number, number], readonly [number, number]]>([
    ['bedrock', [50, 6], [20, 3]],
    ['regolith', [50, 6], [20, 3]],
    ['canyon', [250, 6], [30, 3]],
    ['fjord', [250, 6], [30, 3]],
  ])('%s: denominator and elasticity are %j, or those of the chain, %j', (name, defaults, own) => {
    const { constants } = rulesOf(name).eip1559;
    const config = { eip1559Denominator: 20, eip1559DenominatorCanyon: 30, eip1559Elasticity: 3 };
    for (const [given, [denominator, elasticity]] of [
      [undefined, defaults],
      [{}, defaults],
      [config, own],
    ] as const)
      expect(constants(given as Parameters<typeof constants>[0])).toEqual({ denominator, elasticity, minBaseFee: 0 });
  });

  it.each<[ForkName, string, readonly string[]]>([
    ['bedrock', 'overhead', []],
    ['canyon', 'overhead', ['withdrawals']],
    ['ecotone', 'packed', ['withdrawals', 'parentBeaconBlockRoot']],
    ['granite', 'packed', ['withdrawals', 'parentBeaconBlockRoot']],
    ['holocene', 'packed', ['withdrawals', 'parentBeaconBlockRoot', 'eip1559Params', 'depositsOnlyOnInvalid']],
    [
      'jovian',
      'packed',
      ['withdrawals', 'parentBeaconBlockRoot', 'eip1559Params', 'minBaseFee', 'depositsOnlyOnInvalid'],
    ],
  ])('%s: payload attributes have scalars that are %s, and %j', (name, encoding, fields) => {
    const { scalarEncoding, ...others } = rulesOf(name).attributes;
    expect(scalarEncoding).toBe(encoding);
    expect(Object.entries(others).flatMap(([key, isOn]) => (isOn ? [key] : []))).toEqual(fields);
  });

  it('any ready channel is read from canyon on, and batches stand in blobs from ecotone on', () => {
    const readers = chain.filter((name) => rulesOf(name).channels.readAnyReady);
    expect(readers).toEqual(chain.slice(chain.indexOf('canyon')));
    expect(chain.filter((name) => rulesOf(name).batches.blobs)).toEqual(chain.slice(chain.indexOf('ecotone')));
    expect(chain.filter((name) => rulesOf(name).channels.brotli)).toEqual(chain.slice(chain.indexOf('fjord')));
    expect(chain.filter((name) => rulesOf(name).batches.span)).toEqual(chain.slice(chain.indexOf('delta')));
  });

  it("forks bring Ethereum's by their keys in genesis.json", () => {
    const pairs = FORKS.flatMap(({ name, ethereumKey }) => (ethereumKey === null ? [] : [[name, ethereumKey]]));
    expect(pairs).toEqual([
      ['canyon', 'shanghaiTime'],
      ['ecotone', 'cancunTime'],
      ['isthmus', 'pragueTime'],
      ['karst', 'osakaTime'],
    ]);
  });

  it('batches hold transactions of EIP-7702 from isthmus on', () => {
    expect(rulesOf('holocene').batches.transactionTypes).toEqual([1, 2]);
    for (const name of ['isthmus', 'jovian', 'karst'] as const)
      expect(rulesOf(name).batches.transactionTypes).toEqual([1, 2, 4]);
  });

  it('upgrade intents are qualified, and their gas is added, from karst on', () => {
    const upgrades = FORKS.flatMap(({ name, upgrade }) =>
      upgrade === null ? [] : [[name, upgrade.qualifiedIntents, upgrade.addsGas]],
    );
    expect(upgrades).toEqual([
      ['ecotone', false, false],
      ['fjord', false, false],
      ['isthmus', false, false],
      ['jovian', false, false],
      ['karst', true, true],
    ]);
    expect(KEEP_GAS_KEYS).toEqual(['keep_karst_upgrade_gas']);
  });

  it('lagoon is reserved while it has no rules, and regolith has no option that moves it', () => {
    expect([RESERVED_FORKS, findFork('lagoon'), regolith.override]).toEqual([['lagoon'], undefined, null]);
  });
});

describe('the gas of upgrade transactions', () => {
  const transaction = { intent: 'x', from: '0x', to: null, gasLimit: 700, data: '0x' } as const;
  const metadata = { version: '1.0.0', fork: 'karst', origin: 'official', source: '' } as const;
  const bundle = { metadata, transactions: [transaction, transaction] } as unknown as UpgradeBundle;
  const stripped = (more: Partial<RollupConfig>, time = 100) =>
    upgradeGasToStrip({ block_time: 2, ...more } as RollupConfig, { jovian: 0, karst: 100 }, time, { karst: bundle });

  it('leaves the limit with the next block, unless the chain keeps it', () => {
    expect(stripped({})).toBe(1400);
    expect(stripped({ keep_karst_upgrade_gas: false })).toBe(1400);
    expect(stripped({ keep_karst_upgrade_gas: true })).toBe(0);
    expect(stripped({}, 102)).toBe(0);
  });
});

describe('times of forks', () => {
  it('are read from keys with a number alone', () => {
    const config = { canyon_time: 5, delta_time: null, ecotone_time: '7', null: 3 } as unknown as RollupConfig;
    expect(scheduleOf(config)).toEqual({ canyon: 5 });
    // Delta is a fork of the rollup node alone.
    expect(scheduleOfGenesis({ canyonTime: 5, deltaTime: 6, ecotoneTime: null, null: 3 })).toEqual({ canyon: 5 });
    expect(scheduleOfGenesis({ pectraBlobScheduleTime: 1, pectrablobscheduleTime: 1 })).toEqual({});
    expect(rollupConfigTimes({ bedrock: 0, canyon: 9 } as Parameters<typeof rollupConfigTimes>[0])).toEqual({
      canyon_time: 9,
    });
  });

  it('ask for bundles of forks with upgrade transactions after genesis, and set code at the very time', () => {
    const needing = forksNeedingBundle({ canyon: 20, ecotone: 10, fjord: 11, granite: 30 }, 10);
    expect(needing.map(({ name }) => name)).toEqual(['fjord']);
    expect([9n, 10n, 11n].map((time) => forcedCodeAt({ canyon: 10, delta: 9 }, time).length)).toEqual([0, 1, 0]);
  });

  it('optional forks stand last, by name', () => {
    const fork = (name: string, follows: string | null, optional = false) =>
      defineFork({ name, follows, optional, rules: {} });
    const [base, next] = [fork('base', null), fork('next', 'base')];
    const extra = ['c', 'a', 'd', 'b'].map((name) => fork(name, null, true));
    expect(inOrder(base, [...extra, next]).map(({ name }) => name)).toEqual(['base', 'next', 'a', 'b', 'c', 'd']);
  });
});
