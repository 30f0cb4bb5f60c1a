import { describe, expect, test } from 'vitest';
import { decodeDeposit } from '../../../../src/protocol/codec/deposit.ts';
import { l1AttributesSourceHash, userDepositSourceHash } from '../../../../src/protocol/codec/source-hash.ts';
import {
  prepareAttributes,
  prepareSequencerAttributes,
} from '../../../../src/protocol/derivation/attributes/attributes.ts';
import { l1InfoOf } from '../../../../src/protocol/derivation/attributes/l1-info.ts';
import { rollupOf } from '../../../../src/protocol/derivation/rollup.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { PayloadAttributes } from '../../../../src/protocol/types.ts';
import { envelopeOf } from '../scripted/engine.ts';
import { createNetwork, type Network } from '../scripted/network.ts';
import {
  forksUpTo,
  GENESIS_TIME,
  hashOf,
  SYSTEM_CONFIG,
  type TestRollupOptions,
  testRollup,
} from '../scripted/rollup.ts';
import { configUpdate, depositLog, receiptsOf } from '../scripted/transactions.ts';

const USER = `0x${'aa'.repeat(20)}` as const;
const OTHER = `0x${'bb'.repeat(20)}` as const;

/** Attributes upon the sequencer's head in the epoch of the L1 head. */
const prepare = ({ rollup, l1, sequencer }: Network) =>
  prepareAttributes(rollup, l1, sequencer, sequencer.head(), l1.head());
const infoOf = ({ rollup }: Network, attributes: PayloadAttributes) =>
  l1InfoOf(rollup, envelopeOf(rollup, { blockHash: hashOf('p'), blockNumber: 7 }, attributes).executionPayload);

/** A network whose next block is the first of a new epoch. */
async function atNewEpoch(fork: ForkName, receipts: ReturnType<typeof receiptsOf> = [], options?: TestRollupOptions) {
  const network = createNetwork(testRollup(fork, options));
  await network.advance();
  while (network.sequencer.head().timestamp + 2 < network.l1.head().timestamp + 6) await network.build();
  network.l1.mine({ receipts });
  return network;
}

describe('payload attributes', () => {
  test('of the first block of an epoch have its deposits and L1 attributes', async () => {
    const network = await atNewEpoch('ecotone', receiptsOf(depositLog(USER, OTHER, 5n, '0xabcd')));
    const head = network.l1.head();
    const attributes = await prepare(network);
    expect(attributes).toMatchObject({
      timestamp: BigInt(network.sequencer.head().timestamp + 2),
      prevRandao: head.mixHash,
      suggestedFeeRecipient: PREDEPLOYS.sequencerFeeVault,
      parentBeaconBlockRoot: head.parentBeaconBlockRoot,
      withdrawals: [],
      noTxPool: true,
      gasLimit: BigInt(SYSTEM_CONFIG.gasLimit),
    });
    const [info, deposit, ...more] = attributes.transactions.map((encoded) => decodeDeposit(hexToBytes(encoded)));
    expect(more).toEqual([]);
    expect(info).toMatchObject({
      sourceHash: l1AttributesSourceHash(head.hash, 0),
      from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
      to: PREDEPLOYS.l1Block,
      gas: 1_000_000,
      isSystemTransaction: false,
    });
    expect(deposit).toMatchObject({
      sourceHash: userDepositSourceHash(head.hash, 0),
      from: USER,
      to: OTHER,
      mint: 5n,
      value: 5n,
      gas: 100_000,
      data: '0xabcd',
    });
    expect(infoOf(network, attributes)).toMatchObject({
      number: head.number,
      hash: head.hash,
      timestamp: head.timestamp,
      sequenceNumber: 0,
      baseFeeScalar: 0x0a6fe0,
      blobBaseFeeScalar: 0,
      blobBaseFee: 1n,
      batcherAddr: SYSTEM_CONFIG.batcherAddr,
    });
  });

  test('of a later block of an epoch have the next sequence number and no deposits', async () => {
    const network = await atNewEpoch('ecotone', receiptsOf(depositLog(USER, OTHER, 5n)));
    await network.build();
    const attributes = await prepare(network);
    expect(attributes.transactions).toHaveLength(1);
    expect(infoOf(network, attributes).sequenceNumber).toBe(1);
  });

  test.each<[ForkName, (keyof PayloadAttributes)[]]>([
    ['bedrock', []],
    ['canyon', ['withdrawals']],
    ['ecotone', ['withdrawals', 'parentBeaconBlockRoot']],
    ['holocene', ['withdrawals', 'parentBeaconBlockRoot', 'eip1559Params']],
    ['jovian', ['withdrawals', 'parentBeaconBlockRoot', 'eip1559Params', 'minBaseFee']],
  ])('have the optional fields of %s', async (fork, fields) => {
    const optional = ['withdrawals', 'parentBeaconBlockRoot', 'eip1559Params', 'minBaseFee'];
    const attributes = await prepare(await atNewEpoch(fork));
    expect(Object.keys(attributes).filter((key) => optional.includes(key))).toEqual(fields);
  });

  test.each<[ForkName, string, object]>([
    ['bedrock', '0x015d8eb9', { gas: 150_000_000, isSystemTransaction: true }],
    ['regolith', '0x015d8eb9', { gas: 1_000_000, isSystemTransaction: false }],
    ['ecotone', '0x440a5e20', { gas: 1_000_000 }],
    ['isthmus', '0x098999be', { gas: 1_000_000 }],
    ['jovian', '0x3db6be2b', { gas: 1_000_000 }],
  ])('of %s have L1 attributes that call %s', async (fork, selector, fields) => {
    const { transactions } = await prepare(await atNewEpoch(fork));
    const info = decodeDeposit(hexToBytes(transactions[0]!));
    expect(info).toMatchObject(fields);
    expect(info.data.slice(0, 10)).toBe(selector);
  });

  test.each<[ForkName, ForkName, string]>([
    ['delta', 'ecotone', '0x015d8eb9'],
    ['holocene', 'isthmus', '0x440a5e20'],
    ['isthmus', 'jovian', '0x098999be'],
  ])(
    'of an activation block make the call of %s before the upgrade transactions of %s',
    async (base, fork, selector) => {
      const log = depositLog(USER, OTHER, 5n);
      const network = await atNewEpoch(base, receiptsOf(log), { at: { [fork]: 12 } });
      const { transactions, timestamp } = await prepare(network);
      const [info, user, ...upgrade] = transactions.map((encoded) => decodeDeposit(hexToBytes(encoded)));
      expect(info!.data.slice(0, 10)).toBe(selector);
      expect(user!.from).toBe(USER);
      expect(upgrade.map(({ gas }) => gas)).toEqual([500_000, 50_000]);
      expect(network.rollup.activationAt(timestamp)).not.toBeNull();
      await network.build();
      const next = await prepare(network);
      expect(next.transactions).toHaveLength(1);
      expect(decodeDeposit(hexToBytes(next.transactions[0]!)).data.slice(0, 10)).not.toBe(selector);
    },
  );

  test.each([
    ['for one block', undefined, 0],
    ['for one block', false, 0],
    ['for good, when the chain keeps it', true, 550_000],
  ])(
    'have the gas of the upgrade transactions of karst %s (keep_karst_upgrade_gas: %s)',
    async (_, keeps, laterGas) => {
      const network = await atNewEpoch('jovian', [], { at: { karst: 12 }, config: { keep_karst_upgrade_gas: keeps } });
      expect((await prepare(network)).gasLimit).toBe(BigInt(SYSTEM_CONFIG.gasLimit + 550_000));
      for (let block = 0; block < 3; block++) {
        await network.build();
        expect((await prepare(network)).gasLimit).toBe(BigInt(SYSTEM_CONFIG.gasLimit + laterGas));
      }
    },
  );

  test('follow the config updates of the new origin', async () => {
    const receipts = receiptsOf(
      configUpdate(0, BigInt(OTHER)),
      configUpdate(1, 3, (1n << 248n) | (7n << 32n) | 5n),
      configUpdate(2, 40_000_000),
      configUpdate(4, (8n << 32n) | 3n),
      configUpdate(5, (11n << 64n) | 13n),
      configUpdate(6, 17),
      configUpdate(7, 19),
    );
    const network = await atNewEpoch('jovian', receipts);
    const expectInForce = async () => {
      const attributes = await prepare(network);
      expect(attributes).toMatchObject({ gasLimit: 40_000_000n, eip1559Params: '0x0000000800000003', minBaseFee: 17 });
      expect(infoOf(network, attributes)).toMatchObject({
        batcherAddr: OTHER,
        baseFeeScalar: 5,
        blobBaseFeeScalar: 7,
        operatorFeeScalar: 11,
        operatorFeeConstant: 13n,
        daFootprintGasScalar: 19,
      });
    };
    await expectInForce();
    await network.build();
    await expectInForce();
    network.l1.mine({ after: 1 });
    await expectInForce();
  });

  test('have a zero beacon root when L1 has none', async () => {
    const { rollup, l1, sequencer } = await atNewEpoch('ecotone');
    const { parentBeaconBlockRoot: _, ...before } = l1.head();
    const cancunless = { ...l1, headerByHash: async () => before };
    const { parentBeaconBlockRoot } = await prepareAttributes(rollup, cancunless, sequencer, sequencer.head(), before);
    expect(parentBeaconBlockRoot).toBe(`0x${'00'.repeat(32)}`);
  });

  test('have any scalar before ecotone, and fail on a scalar of an unknown version from then on', async () => {
    const scalar = `0x02${'00'.repeat(31)}` as const;
    const receipts = receiptsOf(configUpdate(1, 0, 2n << 248n));
    const network = await atNewEpoch('bedrock', receipts);
    expect(infoOf(network, await prepare(network)).l1FeeScalar).toBe(scalar);
    const config = { ...testRollup('ecotone').config.genesis, system_config: { ...SYSTEM_CONFIG, scalar } };
    const unknown = createNetwork(testRollup('ecotone', { config: { genesis: config } }));
    await expect(unknown.build()).rejects.toMatchObject({ name: 'DerivationError', handling: 'fatal' });
  });

  test('have a footprint scalar of 400 when it is zero', async () => {
    const network = await atNewEpoch('jovian');
    expect(infoOf(network, await prepare(network)).daFootprintGasScalar).toBe(400);
  });

  test.each([
    ['L1 charges by its schedule', {}, 5_007_716n],
    ['a chain that missed it keeps Cancun', { pectrablobschedule: 10_000 }, 3_338_477n],
    ['until its own time', { pectrablobschedule: 6 }, 5_007_716n],
    ['which is a time of L1', { pectrablobschedule: 8 }, 3_338_477n],
  ])('blob base fee: %s', async (_, at, fraction) => {
    const network = createNetwork(testRollup('holocene', { at }));
    await network.advance();
    const excess = 60_000_000;
    const origin = { ...network.l1.head(), excessBlobGas: excess };
    const l1 = { ...network.l1, headerByHash: async () => origin };
    const attributes = await prepareAttributes(network.rollup, l1, network.sequencer, network.sequencer.head(), origin);
    const expected = Math.exp(excess / Number(fraction));
    const { blobBaseFee } = infoOf(network, attributes);
    expect(Number(blobBaseFee) / expected).toBeCloseTo(1, 1);
  });

  test.each(['bedrock', 'ecotone'] as const)('have no deposits of failed transactions (%s)', async (fork) => {
    const [receipt] = receiptsOf(depositLog(USER, OTHER, 5n), configUpdate(2, 9));
    const network = await atNewEpoch(fork, [{ ...receipt!, status: false }]);
    const attributes = await prepare(network);
    expect(attributes.transactions).toHaveLength(1);
    expect(attributes.gasLimit).toBe(BigInt(SYSTEM_CONFIG.gasLimit));
  });
});

describe('payload attributes cannot be prepared', () => {
  test('for an origin that does not follow', async () => {
    const network = await atNewEpoch('granite');
    const far = network.l1.mine();
    const upon = network.sequencer.head();
    const { rollup, l1, sequencer } = network;
    const conflict = { handling: 'reset', message: expect.stringContaining('does not follow') };
    await expect(prepareAttributes(rollup, l1, sequencer, upon, far)).rejects.toMatchObject(conflict);
    const sibling = { number: upon.l1origin.number, hash: l1.head().hash };
    await expect(prepareAttributes(rollup, l1, sequencer, upon, sibling)).rejects.toMatchObject(conflict);
  });

  test('for a parent that the engine does not have, and an origin without receipts, for now', async () => {
    const { rollup, l1, sequencer } = await atNewEpoch('granite');
    const head = sequencer.head();
    const unknown = { ...head, hash: hashOf('unknown') };
    const retry = { name: 'DerivationError', handling: 'retry' };
    await expect(prepareAttributes(rollup, l1, sequencer, unknown, l1.head())).rejects.toMatchObject(retry);
    const bare = { ...l1, receipts: async () => null };
    await expect(prepareAttributes(rollup, bare, sequencer, head, l1.head())).rejects.toMatchObject(retry);
    // In its own epoch a block has no deposits, so receipts are not needed.
    expect(await prepareAttributes(rollup, bare, sequencer, head, head.l1origin)).toMatchObject({ noTxPool: true });
  });

  test('for an origin that is newer than the block', async () => {
    const { rollup, l1, sequencer } = createNetwork(testRollup('granite'));
    l1.mine();
    const preparing = prepareAttributes(rollup, l1, sequencer, sequencer.head(), l1.head());
    await expect(preparing).rejects.toMatchObject({ handling: 'reset', message: expect.stringContaining('is later') });
  });

  test('for an origin that L1 does not have', async () => {
    const { rollup, l1, sequencer } = createNetwork(testRollup('granite'));
    const unknown = { number: 101, hash: hashOf('unknown') };
    const preparing = prepareAttributes(rollup, l1, sequencer, sequencer.head(), unknown);
    await expect(preparing).rejects.toMatchObject({ handling: 'reset' });
  });

  test('without the upgrade bundle of a fork that activates', async () => {
    const network = await atNewEpoch('isthmus', [], { at: { jovian: 12 } });
    const schedule = { ...forksUpTo('isthmus'), jovian: GENESIS_TIME + 12 };
    const rollup = rollupOf(network.rollup.config, { schedule });
    await expect(prepare({ ...network, rollup })).rejects.toMatchObject({ code: 'bundle-missing', handling: 'fatal' });
  });
});

describe('sequencer attributes', () => {
  const noTxPool = async ({ rollup, l1, sequencer }: Network) =>
    (await prepareSequencerAttributes(rollup, l1, sequencer, sequencer.head(), sequencer.head().l1origin)).noTxPool;

  test('allow pool transactions', async () => {
    expect(await noTxPool(createNetwork(testRollup('jovian')))).toBe(false);
  });

  test('exclude pool transactions past the sequencer drift', async () => {
    const network = createNetwork(testRollup('ecotone'));
    for (let block = 0; block < 9; block++) await network.build();
    expect(await noTxPool(network)).toBe(false);
    await network.build();
    expect(network.sequencer.head().timestamp).toBe(network.l1.head().timestamp + 20);
    expect(await noTxPool(network)).toBe(true);
  });

  test.each<[ForkName, ForkName, boolean]>([
    ['delta', 'ecotone', true],
    ['ecotone', 'fjord', true],
    ['fjord', 'granite', false],
    ['granite', 'holocene', false],
    ['holocene', 'isthmus', true],
    ['isthmus', 'jovian', true],
    ['jovian', 'karst', true],
  ])('from %s to %s', async (base, fork, closed) => {
    const network = createNetwork(testRollup(base, { at: { [fork]: 2 } }));
    expect(await noTxPool(network)).toBe(closed);
    await network.build();
    expect(await noTxPool(network)).toBe(false);
  });
});
