import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeDeposit } from '../../../src/protocol/codec/deposit.ts';
import { upgradeSourceHash } from '../../../src/protocol/codec/source-hash.ts';
import {
  activatesAt,
  emptyBatchAt,
  FORKS,
  type ForkName,
  type ForkSchedule,
  findFork,
  forcedCodeAt,
  forksNeedingBundle,
  genesisConfigTimes,
  isActive,
  l1AttributesAt,
  noTxPoolAt,
  orderProblems,
  rollupConfigTimes,
  rulesAt,
  scheduleOf,
  scheduleOfGenesis,
  upgradeGas,
  upgradeTransactions,
} from '../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import { headerBlobSchedule } from '../../../src/protocol/rules/l1-blob-fee/l1-schedule.ts';
import type { L1Header, RollupConfig, UpgradeBundle } from '../../../src/protocol/types.ts';

const chain = FORKS.filter(({ optional }) => !optional);
/** Every fork up to and including one is active from genesis on. */
const upTo = (name: ForkName): ForkSchedule =>
  Object.fromEntries(chain.slice(1, chain.findIndex((fork) => fork.name === name) + 1).map((fork) => [fork.name, 0]));

describe('rules in force', () => {
  test('have the name of the newest fork in the order of the list', () => {
    for (const { name } of chain) expect(rulesAt(upTo(name), 0).fork).toBe(name);
  });

  test.each([
    ['bedrock', 'paris', 1, 2, 2, 1],
    ['regolith', 'paris', 1, 2, 2, 1],
    ['canyon', 'shanghai', 2, 2, 2, 2],
    ['delta', 'shanghai', 2, 2, 2, 2],
    ['ecotone', 'cancun', 3, 3, 3, 3],
    ['fjord', 'cancun', 3, 3, 3, 3],
    ['granite', 'cancun', 3, 3, 3, 3],
    ['holocene', 'cancun', 3, 3, 3, 3],
    ['isthmus', 'prague', 3, 4, 4, 4],
    ['jovian', 'prague', 3, 4, 4, 4],
    ['karst', 'osaka', 3, 4, 5, 4],
  ] as const)(
    '%s: EVM %s, engine and gossip versions',
    (name, evm, forkchoiceUpdated, newPayload, getPayload, version) => {
      expect(rulesAt(upTo(name), 0)).toMatchObject({
        evm,
        engine: { forkchoiceUpdated, newPayload, getPayload },
        gossip: { version },
      });
    },
  );

  test('change channels, batches and attributes with their forks', () => {
    const config = { channel_timeout: 300, max_sequencer_drift: 600 } as RollupConfig;
    const facts = (name: ForkName) => {
      const { channels, batches, attributes } = rulesAt(upTo(name), 0);
      return [
        channels.stages,
        channels.timeout(config),
        channels.maxRlpBytes,
        channels.brotli,
        batches.span,
        batches.maxSequencerDrift(config),
        batches.blobs,
        attributes.minBaseFee,
      ];
    };
    expect(facts('canyon')).toEqual(['bank', 300, 10_000_000, false, false, 600, false, false]);
    expect(facts('delta')).toEqual(['bank', 300, 10_000_000, false, true, 600, false, false]);
    expect(facts('ecotone')).toEqual(['bank', 300, 10_000_000, false, true, 600, true, false]);
    expect(facts('fjord')).toEqual(['bank', 300, 100_000_000, true, true, 1800, true, false]);
    expect(facts('granite')).toEqual(['bank', 50, 100_000_000, true, true, 1800, true, false]);
    expect(facts('holocene')).toEqual(['assembler', 50, 100_000_000, true, true, 1800, true, false]);
    expect(facts('jovian')).toEqual(['assembler', 50, 100_000_000, true, true, 1800, true, true]);
  });

  test('begin at the activation time exactly', () => {
    const schedule = { ...upTo('granite'), holocene: 100 };
    expect([99, 100, 101].map((time) => rulesAt(schedule, time).fork)).toEqual(['granite', 'holocene', 'holocene']);
    expect([99, 100].map((time) => isActive(schedule, 'holocene', time))).toEqual([false, true]);
    expect(isActive({}, 'bedrock', 0)).toBe(true);
  });

  test('are the same object for the same forks, and not shared between different ones', () => {
    expect(rulesAt(upTo('fjord'), 5)).toBe(rulesAt({ ...upTo('fjord') }, 500));
    expect(rulesAt(upTo('fjord'), 5)).not.toBe(rulesAt(upTo('granite'), 5));
  });
});

describe('activation block', () => {
  const schedule = { ...upTo('holocene'), isthmus: 101, jovian: 101 };

  test('is the first block at or after the time', () => {
    const names = (time: number) => activatesAt(schedule, time, 2).map(({ name }) => name);
    expect([100, 102, 104].map(names)).toEqual([[], ['isthmus', 'jovian'], []]);
  });

  test('does not exist for forks of the genesis block', () => {
    fc.assert(fc.property(fc.nat(1000), (genesis) => activatesAt(upTo('jovian'), genesis + 2, 2).length === 0));
    expect(forksNeedingBundle(upTo('karst'), 0)).toEqual([]);
    expect(forksNeedingBundle(schedule, 50).map(({ name }) => name)).toEqual(['isthmus', 'jovian']);
  });

  test('makes the L1-attributes call of its parent, except for gas', () => {
    const attributes = (time: number) => l1AttributesAt({ ecotone: 100, regolith: 0, canyon: 0, delta: 0 }, time, 2);
    expect([98, 100, 102].map((time) => attributes(time).selector)).toEqual(['0x015d8eb9', '0x015d8eb9', '0x440a5e20']);
    const regolith = l1AttributesAt({ regolith: 100 }, 100, 2);
    expect(regolith).toMatchObject({ gas: 1_000_000, isSystemTransaction: false });
    expect(l1AttributesAt({ regolith: 100 }, 98, 2)).toMatchObject({ gas: 150_000_000, isSystemTransaction: true });
  });

  test.each([
    ['canyon', false, false],
    ['delta', false, false],
    ['ecotone', true, false],
    ['fjord', true, false],
    ['granite', false, false],
    ['holocene', false, false],
    ['isthmus', true, false],
    ['jovian', true, true],
    ['karst', true, true],
  ] as const)('of %s: excludes the pool %s, needs an empty batch %s', (name, noTxPool, emptyBatch) => {
    const at100 = { ...upTo(name), [name]: 100 };
    expect([noTxPoolAt(at100, 100, 2), emptyBatchAt(at100, 100, 2)]).toEqual([noTxPool, emptyBatch]);
    expect([noTxPoolAt(at100, 102, 2), emptyBatchAt(at100, 102, 2)]).toEqual([false, false]);
  });

  test('of canyon sets code in the block of exactly its time', () => {
    const address = '0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2';
    expect(forcedCodeAt({ canyon: 100 }, 100n)).toMatchObject([{ address }]);
    expect(forcedCodeAt({ canyon: 100 }, 101n)).toEqual([]);
  });
});

describe('upgrade transactions', () => {
  const bundle = (...intents: string[]): UpgradeBundle => ({
    metadata: { version: '1.0.0' },
    transactions: intents.map((intent, index) => ({
      intent,
      from: '0x4210000000000000000000000000000000000000',
      to: null,
      gasLimit: 1000 + index,
      data: '0x00',
    })),
  });
  const bundles = {
    isthmus: bundle('Isthmus: a', 'Isthmus: b'),
    jovian: bundle('Jovian: c'),
    karst: bundle('Deploy x', 'Deploy y'),
  };
  const hashesAt = (schedule: ForkSchedule) =>
    upgradeTransactions(schedule, 100, 2, bundles).map((encoded) => decodeDeposit(hexToBytes(encoded)).sourceHash);

  test('come in the order of forks and bundle, source hashes by intent', () => {
    expect(hashesAt({ isthmus: 100, jovian: 99 })).toEqual(
      ['Isthmus: a', 'Isthmus: b', 'Jovian: c'].map(upgradeSourceHash),
    );
    expect(hashesAt({ holocene: 100 })).toEqual([]);
  });

  test('of karst have a qualified intent and raise the gas limit', () => {
    expect(hashesAt({ karst: 100 })).toEqual(['Karst 0: Deploy x', 'Karst 1: Deploy y'].map(upgradeSourceHash));
    expect(upgradeGas({ karst: 100 }, 100, 2, bundles)).toBe(2001);
    expect(upgradeGas({ isthmus: 100 }, 100, 2, bundles)).toBe(0);
  });

  test('are deposits without mint, value or privilege', () => {
    const [first] = upgradeTransactions({ jovian: 100 }, 100, 2, bundles).map((encoded) =>
      decodeDeposit(hexToBytes(encoded)),
    );
    expect(first).toMatchObject({ mint: 0n, value: 0n, gas: 1000, isSystemTransaction: false, to: null });
  });

  test('need a bundle', () => {
    expect(() => upgradeTransactions({ fjord: 100 }, 100, 2, bundles)).toThrow(
      expect.objectContaining({ code: 'bundle-missing', handling: 'fatal', data: { fork: 'fjord' } }),
    );
  });
});

describe('configuration files', () => {
  const schedule = { ...upTo('isthmus'), jovian: 120, pectrablobschedule: 7 };

  test('have the fork times of rollup.json', () => {
    const times = rollupConfigTimes(schedule);
    expect(times).toMatchObject({ regolith_time: 0, delta_time: 0, jovian_time: 120, pectra_blob_schedule_time: 7 });
    expect(times).not.toHaveProperty('karst_time');
    expect(times).not.toHaveProperty('bedrock_time');
    expect(scheduleOf(times as unknown as RollupConfig)).toEqual(schedule);
  });

  test('have the fork times of genesis.json', () => {
    const times = genesisConfigTimes(schedule);
    expect(times).toMatchObject({
      bedrockBlock: 0,
      canyonTime: 0,
      jovianTime: 120,
      shanghaiTime: 0,
      cancunTime: 0,
      pragueTime: 0,
    });
    for (const key of ['deltaTime', 'osakaTime', 'pectrablobscheduleTime']) expect(times).not.toHaveProperty(key);
    const { delta: _delta, pectrablobschedule: _schedule, ...rest } = schedule;
    expect(scheduleOfGenesis({ ...times, chainId: 901, homesteadBlock: 0 })).toEqual(rest);
  });

  test('need the order of forks, except for optional ones', () => {
    expect(orderProblems(schedule)).toEqual([]);
    expect(orderProblems({ ...upTo('canyon'), ecotone: 0 })).toEqual([{ fork: 'ecotone', before: 'delta' }]);
    expect(orderProblems({ ...upTo('canyon'), delta: 50, ecotone: 40 })).toEqual([
      { fork: 'ecotone', before: 'delta' },
    ]);
  });

  test('have keys, labels and options that follow from the name of a fork', () => {
    expect(findFork('isthmus')).toMatchObject({ label: 'Isthmus', override: 'override.isthmus' });
    expect(findFork('lagoona')).toBeUndefined();
    expect(new Set(FORKS.map(({ name }) => name)).size).toBe(FORKS.length);
  });
});

describe('L1 blob base fee', () => {
  const origin = { excessBlobGas: 10 * 1024 * 1024, requestsHash: `0x${'00'.repeat(32)}` } as L1Header;
  const fee = (schedule: ForkSchedule, time: number, header = origin) =>
    rulesAt(schedule, time).l1BlobFee.blobBaseFee(header, headerBlobSchedule);

  test('is that of L1, unless the chain scheduled the change for later', () => {
    expect(fee({}, 0)).toBe(8n);
    expect(fee({}, 0, { ...origin, requestsHash: undefined } as never)).toBe(23n);
    expect(fee({ pectrablobschedule: 100 }, 99)).toBe(23n);
    expect(fee({ pectrablobschedule: 100 }, 100)).toBe(8n);
  });

  test('is 1 wei without blobs', () => {
    expect(fee({}, 0, { ...origin, excessBlobGas: undefined } as never)).toBe(1n);
  });
});
