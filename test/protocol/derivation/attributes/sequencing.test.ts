import { describe, expect, test } from 'vitest';
import { prepareAttributes } from '../../../../src/protocol/derivation/attributes/attributes.ts';
import { attributesMatchBlock } from '../../../../src/protocol/derivation/attributes/attributes-match-block.ts';
import { selectL1Origin } from '../../../../src/protocol/derivation/attributes/l1-origin.ts';
import { createFinality } from '../../../../src/protocol/derivation/pipeline/finality.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import type { ExecutionPayloadEnvelope, L1BlockRef, L2BlockRef } from '../../../../src/protocol/types.ts';
import { envelopeOf } from '../scripted/engine.ts';
import { l1Header } from '../scripted/l1.ts';
import { createNetwork } from '../scripted/network.ts';
import { GENESIS_TIME, hashOf, testRollup } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

const l1At = (number: number, after: number): L1BlockRef => l1Header(number, GENESIS_TIME + after);
const l2At = (number: number, after: number): L2BlockRef => ({
  ...l1At(number, after),
  l1origin: { number: 100, hash: hashOf('L1 100') },
  sequenceNumber: 0,
});

describe('L1 origin of the sequencer', () => {
  const current = l1At(100, 0);
  test.each<[string, ForkName, number, L1BlockRef | null, 'current' | 'next' | 'wait']>([
    ['stays while the next is newer than the block', 'granite', 4, l1At(101, 8), 'current'],
    ['advances to the next as soon as its time comes', 'granite', 4, l1At(101, 6), 'next'],
    ['stays while no next is known', 'granite', 4, null, 'current'],
    ['stays at the drift while no next is known', 'ecotone', 18, null, 'current'],
    ['waits past the drift while no next is known', 'ecotone', 20, null, 'wait'],
    ['stays past the drift when the next is newer', 'ecotone', 20, l1At(101, 40), 'current'],
    ['drift is a constant from fjord on', 'fjord', 20, null, 'current'],
    ['waits past the constant', 'fjord', 1800, null, 'wait'],
  ])('%s (%s)', (_, fork, after, next, expected) => {
    const answers = { current, next, wait: null };
    expect(selectL1Origin(testRollup(fork), l2At(7, after), current, next)).toEqual(answers[expected]);
  });
});

describe('consolidation', () => {
  const FORKS: readonly ForkName[] = ['bedrock', 'canyon', 'ecotone', 'holocene', 'jovian'];
  async function derived(fork: ForkName) {
    const { rollup, l1, sequencer } = createNetwork(testRollup(fork));
    const parent = sequencer.head();
    const prepared = await prepareAttributes(rollup, l1, sequencer, parent, parent.l1origin);
    const attributes = { ...prepared, transactions: [...prepared.transactions, userTransaction(1)] };
    const envelope = envelopeOf(rollup, { blockHash: parent.hash, blockNumber: 0 }, attributes);
    return { rollup, parent, attributes, envelope };
  }

  test.each(FORKS)('accepts the block of the attributes (%s)', async (fork) => {
    const { rollup, envelope, ...parts } = await derived(fork);
    expect(attributesMatchBlock(rollup, parts, envelope)).toEqual([]);
  });

  test.each([
    [9, []],
    [0, ['extraData']],
    [undefined, ['extraData']],
  ])('compares a minimum base fee of 9 in extraData with %s of the attributes', async (minBaseFee, fields) => {
    const { rollup, parent, attributes } = await derived('jovian');
    const built = envelopeOf(rollup, { blockHash: parent.hash, blockNumber: 0 }, { ...attributes, minBaseFee: 9 });
    const { minBaseFee: _, ...rest } = attributes;
    const parts = { parent, attributes: minBaseFee === undefined ? rest : { ...rest, minBaseFee } };
    expect(attributesMatchBlock(rollup, parts, built).map(({ field }) => field)).toEqual(fields);
  });

  test('reports both values of a difference, and a value that is absent', async () => {
    const { rollup, envelope, ...parts } = await derived('ecotone');
    const { executionPayload } = envelope;
    const { withdrawals: _, ...payload } = executionPayload;
    const other = { ...payload, gasLimit: 7n };
    expect(attributesMatchBlock(rollup, parts, { executionPayload: other })).toEqual([
      { field: 'gasLimit', derived: '30000000', block: '7' },
      { field: 'withdrawals.length', derived: '0', block: 'absent' },
      { field: 'parentBeaconBlockRoot', derived: parts.attributes.parentBeaconBlockRoot, block: 'absent' },
    ]);
    const { parentBeaconBlockRoot, withdrawals, ...bare } = parts.attributes;
    expect(attributesMatchBlock(rollup, { ...parts, attributes: bare }, envelope)).toEqual([
      { field: 'withdrawals.length', derived: 'absent', block: String(withdrawals?.length) },
      { field: 'parentBeaconBlockRoot', derived: 'absent', block: parentBeaconBlockRoot },
    ]);
  });

  type Change = (envelope: ExecutionPayloadEnvelope) => ExecutionPayloadEnvelope;
  const payload =
    (change: Partial<ExecutionPayloadEnvelope['executionPayload']>): Change =>
    (envelope) => ({ ...envelope, executionPayload: { ...envelope.executionPayload, ...change } });
  test.each<[string, ForkName, Change]>([
    ['parentHash', 'bedrock', payload({ parentHash: hashOf('other') })],
    ['timestamp', 'bedrock', payload({ timestamp: 1n })],
    ['prevRandao', 'bedrock', payload({ prevRandao: hashOf('other') })],
    ['gasLimit', 'bedrock', payload({ gasLimit: 1n })],
    ['feeRecipient', 'bedrock', payload({ feeRecipient: `0x${'11'.repeat(20)}` })],
    ['withdrawals.length', 'bedrock', payload({ withdrawals: [] })],
    ['extraData', 'holocene', payload({ extraData: '0x000000003200000006' })],
    ['extraData', 'jovian', payload({ extraData: '0x01000000fa000000060000000000000001' })],
    ['parentBeaconBlockRoot', 'ecotone', (envelope) => ({ ...envelope, parentBeaconBlockRoot: hashOf('other') })],
    ['parentBeaconBlockRoot', 'ecotone', ({ executionPayload }) => ({ executionPayload })],
    [
      'transactions[1]',
      'bedrock',
      (envelope) => {
        const [info] = envelope.executionPayload.transactions;
        return payload({ transactions: [info!, userTransaction(2)] })(envelope);
      },
    ],
    [
      'transactions.length',
      'bedrock',
      (envelope) => payload({ transactions: envelope.executionPayload.transactions.slice(0, 1) })(envelope),
    ],
  ])('%s differs (%s)', async (field, fork, change) => {
    const { rollup, envelope, ...parts } = await derived(fork);
    const differences = attributesMatchBlock(rollup, parts, change(envelope));
    expect(differences.map((difference) => difference.field)).toEqual([field]);
    expect(differences[0]!.derived).not.toBe(differences[0]!.block);
  });
});

describe('finality', () => {
  test('of L1 finalizes what was derived from it', () => {
    const finality = createFinality();
    finality.safeHead(l1At(101, 6), l2At(1, 2));
    finality.safeHead(l1At(101, 6), l2At(2, 4));
    finality.safeHead(l1At(103, 18), l2At(5, 10));
    expect(finality.finalizedBy(l1At(100, 0))).toBeNull();
    expect(finality.finalizedBy(l1At(102, 12))).toMatchObject({ number: 2 });
    expect(finality.finalizedBy(l1At(102, 12))).toBeNull();
    expect(finality.finalizedBy(l1At(110, 60))).toMatchObject({ number: 5 });
  });

  test('ignores another L1 block of the same number', () => {
    const finality = createFinality();
    finality.safeHead(l1At(101, 6), l2At(1, 2));
    expect(finality.finalizedBy({ number: 101, hash: hashOf('other') })).toBeNull();
    expect(finality.finalizedBy(l1At(101, 6))).toMatchObject({ number: 1 });
  });

  test('drops the L1 blocks that a reorg removed', () => {
    const finality = createFinality();
    finality.safeHead(l1At(101, 6), l2At(1, 2));
    finality.safeHead(l1At(103, 18), l2At(5, 10));
    finality.reset(102);
    expect(finality.finalizedBy(l1At(110, 60))).toMatchObject({ number: 1 });
    finality.safeHead(l1At(111, 66), l2At(6, 12));
    finality.reset();
    expect(finality.finalizedBy(l1At(120, 99))).toBeNull();
  });

  test('starts over when derivation does', () => {
    const finality = createFinality();
    finality.safeHead(l1At(103, 18), l2At(5, 10));
    finality.safeHead(l1At(102, 12), l2At(3, 6));
    expect(finality.finalizedBy(l1At(102, 12))).toMatchObject({ number: 3 });
    expect(finality.finalizedBy(l1At(103, 18))).toBeNull();
  });
});
