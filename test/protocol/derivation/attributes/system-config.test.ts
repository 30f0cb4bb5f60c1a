import { toEventSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import { blockRefOf, l1RefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import {
  applyConfigUpdates,
  CONFIG_UPDATE_TOPIC,
} from '../../../../src/protocol/derivation/attributes/config-updates.ts';
import { systemConfigOfBlock } from '../../../../src/protocol/derivation/attributes/system-config.ts';
import type { DerivationLog } from '../../../../src/protocol/derivation/ports.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import type { Log, SystemConfig } from '../../../../src/protocol/types.ts';
import { l1Header } from '../scripted/l1.ts';
import { createNetwork } from '../scripted/network.ts';
import { GENESIS_TIME, hashOf, SYSTEM_CONFIG, testRollup } from '../scripted/rollup.ts';
import { configUpdate, receiptsOf } from '../scripted/transactions.ts';

const NEW = `0x${'cc'.repeat(20)}` as const;
const apply = (fork: ForkName, tell: DerivationLog | undefined, ...logs: Omit<Log, 'logIndex'>[]) =>
  applyConfigUpdates(
    testRollup(fork),
    SYSTEM_CONFIG,
    receiptsOf(...logs),
    { number: 7, timestamp: GENESIS_TIME },
    tell,
  );

describe('config updates', () => {
  const zero = `0x${'00'.repeat(32)}`;
  const packed = (1n << 248n) | (7n << 32n) | 5n;

  test.each<[string, ForkName, Omit<Log, 'logIndex'>, Partial<SystemConfig>]>([
    ['batcher', 'bedrock', configUpdate(0, BigInt(NEW)), { batcherAddr: NEW }],
    ['gas limit', 'bedrock', configUpdate(2, 5), { gasLimit: 5 }],
    [
      'overhead and scalar',
      'bedrock',
      configUpdate(1, 3, 4),
      { overhead: `0x${'00'.repeat(31)}03`, scalar: `0x${'00'.repeat(31)}04` },
    ],
    [
      'scalar of version 0',
      'ecotone',
      configUpdate(1, 3, 4),
      { overhead: zero, scalar: `0x${'00'.repeat(31)}04` } as object,
    ],
    [
      'scalar of version 1',
      'ecotone',
      configUpdate(1, 3, packed),
      { overhead: zero, scalar: `0x01${'00'.repeat(23)}0000000700000005` } as object,
    ],
    ['unsafe block signer', 'jovian', configUpdate(3, BigInt(NEW)), {}],
    ['EIP-1559 parameters', 'holocene', configUpdate(4, (50n << 32n) | 6n), { eip1559Params: '0x0000003200000006' }],
    [
      'operator fee',
      'isthmus',
      configUpdate(5, (2n << 64n) | 9n),
      { operatorFeeParams: `0x${'00'.repeat(20)}000000020000000000000009` },
    ],
    ['minimum base fee', 'jovian', configUpdate(6, 1_000_000), { minBaseFee: 1_000_000 }],
    ['DA footprint gas scalar', 'jovian', configUpdate(7, 65_535), { daFootprintGasScalar: 65_535 }],
  ])('%s', (_, fork, log, changes) => {
    expect(apply(fork, undefined, log)).toEqual({ ...SYSTEM_CONFIG, ...changes });
  });

  const gasLimit = configUpdate(2, 5);
  /** Offset 32 and length 31 instead of 32. */
  const wrongLength = `${'20'.padStart(64, '0')}${'1f'.padStart(64, '0')}`;
  test.each<[string, Omit<Log, 'logIndex'>]>([
    ['another contract', { ...gasLimit, address: NEW }],
    ['another event', { ...gasLimit, topics: [hashOf('event'), ...gasLimit.topics.slice(1)] }],
    ['no topics', { ...gasLimit, topics: [] }],
  ])('%s is no update', (_, log) => {
    const remarks: unknown[] = [];
    expect(apply('jovian', (...remark) => remarks.push(remark), log)).toEqual(SYSTEM_CONFIG);
    expect(remarks).toEqual([]);
  });

  test.each<[string, Omit<Log, 'logIndex'>]>([
    ['a topic too few', { ...gasLimit, topics: gasLimit.topics.slice(0, 2) }],
    ['no topic but its own', { ...gasLimit, topics: gasLimit.topics.slice(0, 1) }],
    ['a topic too many', { ...gasLimit, topics: [...gasLimit.topics, hashOf('more')] }],
    ['a later version', { ...gasLimit, topics: [gasLimit.topics[0]!, `0x${'00'.repeat(31)}01`, gasLimit.topics[2]!] }],
    ['an unknown type', configUpdate(99, 5)],
    ['a type beyond all', configUpdate(2 ** 40, 5)],
    ['too little data', { ...gasLimit, data: '0x' }],
    ['too much data', { ...gasLimit, data: `${gasLimit.data}00` }],
    ['a wrong length', { ...gasLimit, data: `0x${wrongLength}${gasLimit.data.slice(130)}` }],
    ['a wrong offset', { ...gasLimit, data: gasLimit.data.replace('20', '40') as `0x${string}` }],
    ['a batcher address of more than 20 bytes', configUpdate(0, BigInt(NEW) | (1n << 160n))],
    ['a gas limit beyond all', configUpdate(2, 1n << 200n)],
    ['a footprint scalar of more than 16 bits', configUpdate(7, 65_536)],
    ['a scalar of version 2', configUpdate(1, 0, 2n << 248n)],
    ['a scalar of version 0 with other bytes set', configUpdate(1, 0, 1n << 40n)],
    ['a scalar of version 1 with other bytes set', configUpdate(1, 0, (1n << 248n) | (1n << 64n))],
  ])('%s is logged, leaves the system config unchanged, and does not prevent the other updates', (_, log) => {
    const remarks: unknown[] = [];
    const tell: DerivationLog = (...remark) => remarks.push(remark);
    expect(apply('jovian', tell, configUpdate(6, 3), log, configUpdate(2, 6))).toEqual({
      ...SYSTEM_CONFIG,
      minBaseFee: 3,
      gasLimit: 6,
    });
    const type = log.topics[2] === undefined ? null : BigInt(log.topics[2]);
    const where = { l1: 7, log: 1, type, reason: expect.stringMatching(/./) };
    expect(remarks).toEqual([['warn', 'a ConfigUpdate on L1 is ignored', where]]);
  });

  test('of the unsafe block signer is no fault, whatever its value', () => {
    const remarks: unknown[] = [];
    const odd = { ...configUpdate(3, 1), data: '0x01' as const };
    expect(apply('jovian', (...remark) => remarks.push(remark), odd)).toEqual(SYSTEM_CONFIG);
    expect(remarks).toEqual([]);
  });

  test('a fault needs no log', () => {
    expect(apply('jovian', undefined, configUpdate(99, 5))).toEqual(SYSTEM_CONFIG);
  });

  test('are events of one signature', () => {
    expect(CONFIG_UPDATE_TOPIC).toBe(
      toEventSelector('event ConfigUpdate(uint256 indexed version, uint8 indexed updateType, bytes data)'),
    );
  });

  test('the last of several is in force', () => {
    expect(apply('bedrock', undefined, configUpdate(2, 5), configUpdate(2, 6)).gasLimit).toBe(6);
  });
});

test('the reference to an L1 block has no other fields of its header', () => {
  const header = l1Header(100, GENESIS_TIME);
  const { hash, parentHash } = header;
  expect(l1RefOf(header)).toStrictEqual({ hash, number: 100, parentHash, timestamp: GENESIS_TIME });
});

describe('system config of a block', () => {
  test('of genesis is that of the configuration', () => {
    const { rollup, sequencer } = createNetwork(testRollup('jovian'));
    expect(systemConfigOfBlock(rollup, sequencer.chain()[0]!)).toEqual(SYSTEM_CONFIG);
  });

  test.each<[ForkName, Partial<SystemConfig>]>([
    ['bedrock', {}],
    ['ecotone', { overhead: `0x${'00'.repeat(32)}`, scalar: `0x01${'00'.repeat(28)}0a6fe0` }],
    [
      'holocene',
      {
        overhead: `0x${'00'.repeat(32)}`,
        scalar: `0x01${'00'.repeat(28)}0a6fe0`,
        eip1559Params: '0x000000fa00000006',
      },
    ],
    [
      'jovian',
      {
        overhead: `0x${'00'.repeat(32)}`,
        scalar: `0x01${'00'.repeat(28)}0a6fe0`,
        eip1559Params: '0x000000fa00000006',
        daFootprintGasScalar: 400,
      },
    ],
  ])('is read back from the block (%s)', async (fork, changes) => {
    const { rollup, sequencer, build } = createNetwork(testRollup(fork));
    await build();
    expect(systemConfigOfBlock(rollup, sequencer.chain()[1]!)).toEqual({ ...SYSTEM_CONFIG, ...changes });
  });

  test('keeps the scalar in the block in which its encoding changes', async () => {
    const { rollup, sequencer, build } = createNetwork(testRollup('delta', { at: { ecotone: 2 } }));
    await build();
    await build();
    const [, first, second] = sequencer.chain();
    expect(systemConfigOfBlock(rollup, first!)).toMatchObject({ scalar: SYSTEM_CONFIG.scalar });
    expect(systemConfigOfBlock(rollup, second!)).toMatchObject({ scalar: `0x01${'00'.repeat(28)}0a6fe0` });
  });

  test('is refused for a genesis block of another chain and for a block without L1 attributes', async () => {
    const { rollup, sequencer, build } = createNetwork(testRollup('granite'));
    const [genesis] = sequencer.chain();
    const fatal = expect.objectContaining({ handling: 'fatal' });
    expect(() => systemConfigOfBlock(rollup, { ...genesis!, blockHash: hashOf('other') })).toThrow(fatal);
    await build();
    const block = sequencer.chain()[1]!;
    expect(() => systemConfigOfBlock(rollup, { ...block, transactions: [] })).toThrow(fatal);
    expect(() => systemConfigOfBlock(rollup, { ...block, transactions: [] })).toThrow('no transactions');
    expect(() => blockRefOf(rollup, { ...block, transactions: ['0x02c0'] })).toThrow(fatal);
  });
});
