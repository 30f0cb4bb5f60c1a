import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBatcherTransaction } from '../../../../src/protocol/codec/frame.ts';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { createPipeline } from '../../../../src/protocol/derivation/pipeline/pipeline.ts';
import { findSyncStart } from '../../../../src/protocol/derivation/pipeline/sync-start.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import { decompress } from '../scripted/compression.ts';
import { scriptedEngine } from '../scripted/engine.ts';
import { createNetwork, derive, framesOf, inCalldata, verifierOf } from '../scripted/network.ts';
import { BOTH, networkWithChannels, transactionsOf } from '../scripted/network-with-channels.ts';
import { testRollup } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

describe.each(BOTH)('sequencing window (%s)', (fork) => {
  test('without batches gives empty blocks with deposits', async () => {
    const network = createNetwork(testRollup(fork));
    for (let slot = 0; slot < 16; slot++) network.l1.mine();
    const { engine, safe, outcome } = await derive(network);
    expect(outcome.kind).toBe('eof');
    expect(safe.l1origin.number).toBe(104);
    expect(
      engine
        .chain()
        .slice(1)
        .every(({ transactions }) => transactions.length === 1),
    ).toBe(true);
    const times = engine.chain().map(({ timestamp }) => timestamp);
    expect(times.slice(1).every((time, index) => time === times[index]! + 2n)).toBe(true);
  });

  test('has at least one block of every epoch, however fast L1 is', async () => {
    const network = createNetwork(testRollup(fork));
    for (let slot = 0; slot < 20; slot++) network.l1.mine({ after: 1 });
    const { engine } = await derive(network);
    const origins = engine.chain().map((block) => blockRefOf(network.rollup, block).l1origin.number);
    expect(origins.at(-1)).toBe(108);
    expect([...new Set(origins)]).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108]);
  });

  test('replaces a late batch by empty blocks', async () => {
    const network = await networkWithChannels(fork, 1);
    for (let slot = 0; slot < 12; slot++) network.l1.mine();
    network.l1.mine({ transactions: network.channels.flatMap(inCalldata) });
    network.l1.mine();
    const { engine } = await derive(network);
    expect(engine.chain().every(({ transactions }) => transactions.length <= 1)).toBe(true);
    expect(engine.chain().length).toBeGreaterThan(3);
  });
});

describe.each(BOTH)('L1 reorg (%s)', (fork) => {
  test('asks for a reset, after which the new chain is derived', async () => {
    const network = await networkWithChannels(fork, 4);
    const { rollup, l1, sequencer } = network;
    const { engine, pipeline, genesis, run } = verifierOf(network);
    await pipeline.reset(genesis);
    l1.mine({ transactions: network.channels.flatMap(inCalldata) });
    l1.mine();
    expect(await run()).toBe('eof');
    expect(engine.head()).toEqual(sequencer.head());

    l1.reorgTo(102);
    for (let slot = 0; slot < 5; slot++) l1.mine();
    expect(await run()).toBe('reset');
    const heads = { unsafe: engine.head(), safe: engine.head(), finalized: genesis };
    const start = await findSyncStart(rollup, l1, engine, heads);
    expect(start.unsafe.l1origin.number).toBe(102);
    for (const node of [engine, sequencer]) node.rewind(start.unsafe.number);
    const length = sequencer.chain().length;
    await network.advance({}, (number) => [userTransaction(number + 500)]);
    const blocks = sequencer.chain().slice(1);
    expect(blocks.length).toBeGreaterThan(length);
    l1.mine({ transactions: inCalldata(framesOf(rollup, blocks, { id: 50 })) });
    l1.mine();
    engine.rewind(start.safe.number);
    await pipeline.reset(start.safe);
    expect(await run()).toBe('eof');
    expect(engine.chain()).toEqual(sequencer.chain());
  });
});

test('a reset drops frames and batches of the L1 blocks that a reorg removed', async () => {
  const network = await networkWithChannels('granite', 2, 90);
  const { rollup, l1, sequencer } = network;
  const [one, ...rest] = sequencer.chain().slice(1);
  const later = framesOf(rollup, rest, { id: 7, maxFrameSize: 90 });
  const first = framesOf(rollup, [one!], { id: 8 });
  const buffered = framesOf(rollup, rest.slice(0, 1), { id: 9 });
  const engine = scriptedEngine(rollup);
  const genesis = engine.head();
  const pipeline = createPipeline(rollup, { l1, l2: engine, decompress });
  const base = l1.head().number;
  l1.mine({ transactions: inCalldata([...buffered, ...later.slice(0, 2)]) });
  await pipeline.reset(genesis);
  expect((await pipeline.next(genesis)).kind).toBe('eof');

  l1.reorgTo(base);
  l1.mine({ transactions: inCalldata([...first, ...later.slice(2)]) });
  l1.mine();
  expect((await pipeline.next(genesis)).kind).toBe('reset');
  await pipeline.reset(genesis);
  const outcome = await pipeline.next(genesis);
  if (outcome.kind !== 'attributes') throw new Error(`attributes, not ${outcome.kind}`);
  const head = engine.build(genesis.hash, outcome.attributes.attributes)!;
  expect(head.hash).toBe(one!.blockHash);
  expect((await pipeline.next(head)).kind).toBe('eof');
});

describe('a payload that the engine refuses', () => {
  /** Blocks 1 to 6 in one channel, and a verifier whose engine refuses the transaction of block 3. */
  async function withInvalid(fork: ForkName, batchType: 'singular' | 'span') {
    const network = createNetwork(testRollup(fork));
    for (let slot = 0; slot < 2; slot++) await network.advance({}, transactionsOf);
    const blocks = network.sequencer.chain().slice(1);
    network.l1.mine({ transactions: inCalldata(framesOf(network.rollup, blocks, { batchType })) });
    const engine = scriptedEngine(network.rollup);
    engine.refused.add(userTransaction(3));
    return { network, blocks, engine };
  }

  test.each(['singular', 'span'] as const)(
    'is replaced by its deposits, and the rest of the channel is dropped (holocene, %s)',
    async (batchType) => {
      const { network, blocks, engine } = await withInvalid('holocene', batchType);
      network.l1.mine();
      const { safe, outcome } = await derive(network, engine);
      expect(outcome.kind).toBe('eof');
      expect(safe.number).toBe(3);
      expect(engine.chain().slice(1, 3)).toEqual(blocks.slice(0, 2));
      expect(engine.chain()[3]!.transactions.every((encoded) => encoded.startsWith('0x7e'))).toBe(true);
    },
  );

  test.each(['singular', 'span'] as const)(
    'is dropped with its batch, and the next valid one is used (before holocene, %s)',
    async (batchType) => {
      const { network, blocks, engine } = await withInvalid('granite', batchType);
      const instead = createNetwork(network.rollup);
      for (let slot = 0; slot < 2; slot++) {
        await instead.advance({}, (number) => (number === 3 ? [] : transactionsOf(number)));
      }
      const second = instead.sequencer.chain().slice(1);
      network.l1.mine({ transactions: inCalldata(framesOf(network.rollup, second, { id: 2 })) });
      network.l1.mine();
      const { safe } = await derive(network, engine);
      expect(engine.chain().slice(1)).toEqual(second);
      expect(second.slice(0, 2)).toEqual(blocks.slice(0, 2));
      expect(safe.number).toBe(6);
    },
  );

  test('ends derivation when it has only deposits', async () => {
    const { network } = await withInvalid('holocene', 'span');
    network.l1.mine();
    const engine = scriptedEngine(network.rollup);
    const pipeline = createPipeline(network.rollup, { l1: network.l1, l2: engine, decompress });
    await pipeline.reset(engine.head());
    const outcome = await pipeline.next(engine.head());
    if (outcome.kind !== 'attributes') throw new Error(`attributes, not ${outcome.kind}`);
    const instead = pipeline.payloadInvalid(outcome.attributes);
    if (instead.kind !== 'deposits-only') throw new Error(`deposits only, not ${instead.kind}`);
    expect(instead.attributes).toMatchObject({ concluding: true, parent: outcome.attributes.parent });
    expect(pipeline.payloadInvalid(instead.attributes)).toMatchObject({ kind: 'fatal' });
  });
});

describe.each(BOTH)('ports that fail sometimes (%s)', (fork) => {
  test('delay derivation and change nothing', async () => {
    const network = await networkWithChannels(fork, 4);
    for (const channel of network.channels) {
      const blob = network.l1.blobTransaction(channel.map((frame) => encodeBatcherTransaction([frame])));
      network.l1.mine({ transactions: [blob] });
    }
    network.l1.mine();
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(3)), async (failures) => {
        const { rollup } = network;
        const engine = scriptedEngine(rollup);
        const flaky = <T extends object>(port: T): T =>
          new Proxy(port, {
            get:
              (target, name) =>
              (...params: unknown[]) => {
                if (failures.next().value === 0) return Promise.reject(new Error('not now'));
                return (Reflect.get(target, name) as (...args: unknown[]) => unknown)(...params);
              },
          });
        const pipeline = createPipeline(rollup, { l1: flaky(network.l1), l2: flaky(engine), decompress });
        while (
          !(await pipeline.reset(engine.head()).then(
            () => true,
            () => false,
          ))
        );
        for (let steps = 0; steps < 5_000; steps++) {
          const outcome = await pipeline.step(engine.head());
          if (outcome.kind === 'eof') break;
          expect(['attributes', 'advanced-origin', 'more', 'retry']).toContain(outcome.kind);
          if (outcome.kind === 'attributes') {
            engine.build(outcome.attributes.parent.hash, outcome.attributes.attributes);
          }
        }
        expect(engine.chain()).toEqual(network.sequencer.chain());
      }),
      { numRuns: 15 },
    );
  });
});

describe.each(BOTH)('a restart (%s)', (fork) => {
  test('from any safe head derives the same chain', async () => {
    const network = await networkWithChannels(fork, 5, 90);
    for (const channel of network.channels) network.l1.mine({ transactions: inCalldata(channel) });
    network.l1.mine();
    for (let safe = 0; safe < network.sequencer.chain().length; safe++) {
      const engine = (await derive(network)).engine;
      engine.rewind(safe);
      expect((await derive(network, engine)).engine.chain()).toEqual(network.sequencer.chain());
    }
  });
});
