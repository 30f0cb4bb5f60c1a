import { describe, expect, test } from 'vitest';
import { l1RefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { DerivationError } from '../../../../src/protocol/derivation/error.ts';
import { createPipeline, type StepOutcome } from '../../../../src/protocol/derivation/pipeline/pipeline.ts';
import { findPipelineStart } from '../../../../src/protocol/derivation/pipeline/pipeline-start.ts';
import type { AltDaInputs, Derived, Ports } from '../../../../src/protocol/derivation/ports.ts';
import { ProtocolError } from '../../../../src/protocol/errors.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import { decompress } from '../scripted/compression.ts';
import { scriptedEngine } from '../scripted/engine.ts';
import { createNetwork, framesOf, inCalldata } from '../scripted/network.ts';
import { networkWithChannels, transactionsOf } from '../scripted/network-with-channels.ts';
import { testRollup } from '../scripted/rollup.ts';

/** A network of one batch of three blocks, which L1 has, and a pipeline at its genesis. */
async function pipelineOf(fork: ForkName, more: Partial<Ports> = {}) {
  const network = createNetwork(testRollup(fork));
  const { rollup, l1 } = network;
  const blocks = await network.advance({}, transactionsOf);
  l1.mine({ transactions: inCalldata(framesOf(rollup, blocks)) });
  const engine = scriptedEngine(rollup);
  const genesis = engine.head();
  const pipeline = createPipeline(rollup, { l1, l2: engine, decompress, ...more });
  return { network, l1, engine, genesis, pipeline, blocks };
}

/** The outcomes of steps up to the first one for the caller to act upon. */
async function outcomesOf(step: () => Promise<StepOutcome>): Promise<StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  for (let tries = 0; tries < 1000; tries++) {
    const outcome = await step();
    outcomes.push(outcome);
    if (outcome.kind !== 'more' && outcome.kind !== 'advanced-origin') return outcomes;
  }
  throw new Error('the pipeline makes no progress');
}

describe('a listener of the pipeline', () => {
  test('receives each frame, each whole channel with its bytes, and each batch, in their order', async () => {
    const { rollup, l1, channels } = await networkWithChannels('granite', 2, 90);
    for (const frames of channels) l1.mine({ transactions: inCalldata(frames) });
    const read: Derived[] = [];
    const engine = scriptedEngine(rollup);
    const pipeline = createPipeline(rollup, { l1, l2: engine, decompress, onRead: (what) => read.push(what) });
    await pipeline.reset(engine.head());
    for (;;) {
      const outcome = await pipeline.next(engine.head());
      if (outcome.kind !== 'attributes') break;
      engine.build(outcome.attributes.parent.hash, outcome.attributes.attributes);
    }
    const itemsOf = (at: number, ...batches: readonly Derived[]): Derived[] => {
      const frames = channels[at]!;
      const bytes = frames.reduce((sum, { data }) => sum + data.length, 0);
      return [...frames.map(() => ({ kind: 'frame' }) as const), { kind: 'channel', bytes }, ...batches];
    };
    expect(channels.every((frames) => frames.length > 1)).toBe(true);
    const singular = { kind: 'singular' } as const;
    expect(read).toEqual([...itemsOf(0, singular, singular, singular), ...itemsOf(1, { kind: 'span' })]);
  });
});

describe('a step of the pipeline', () => {
  test('that moves L1 traversal names the L1 block, and the last one says that L1 has no more', async () => {
    const { l1, genesis, pipeline } = await pipelineOf('granite');
    await pipeline.reset(genesis);
    expect(pipeline.origin()).toEqual(l1RefOf((await l1.headerByNumber(100))!));
    const outcomes = await outcomesOf(() => pipeline.step(genesis));
    const moves = outcomes.filter(({ kind }) => kind === 'advanced-origin');
    expect(moves).toEqual(
      await Promise.all(
        [101, 102].map(async (number) => ({
          kind: 'advanced-origin',
          origin: l1RefOf((await l1.headerByNumber(number))!),
        })),
      ),
    );
    expect(outcomes.at(-1)).toMatchObject({ kind: 'attributes', attributes: { parent: genesis } });
    expect(pipeline.origin()).toEqual(l1RefOf(l1.head()));
    expect((await outcomesOf(() => pipeline.step(genesis))).at(-1)).toEqual({ kind: 'eof' });
  });

  test('of `next` is the first one for the caller to act upon', async () => {
    const { genesis, pipeline } = await pipelineOf('granite');
    await pipeline.reset(genesis);
    expect((await pipeline.next(genesis)).kind).toBe('attributes');
    expect((await pipeline.next(genesis)).kind).toBe('eof');
  });

  const derivation = (handling: DerivationError['handling']) => new DerivationError(handling, 'a fault');
  const protocol = (handling: ProtocolError['handling']) =>
    new ProtocolError('bundle-missing', handling, 'a fault', { fork: 'x' });
  test.each<[string, unknown, string]>([
    ['an error of its own', new Error('a fault'), 'retry'],
    ['a text', 'a fault', 'retry'],
    ['an error of derivation to retry', derivation('retry'), 'retry'],
    ['an error of derivation to reset', derivation('reset'), 'reset'],
    ['an error of derivation to stop', derivation('fatal'), 'fatal'],
    ['an error of the rules to drop', protocol('drop'), 'retry'],
    ['an error of the rules to retry', protocol('retry'), 'retry'],
    ['an error of the rules to reset', protocol('reset'), 'reset'],
    ['an error of the rules to stop', protocol('fatal'), 'fatal'],
  ])('in which a port fails with %s has its handling, and throws nothing', async (_, error, kind) => {
    const { l1, genesis, pipeline } = await pipelineOf('granite');
    await pipeline.reset(genesis);
    l1.headerByNumber = () => Promise.reject(error);
    const outcome = (await outcomesOf(() => pipeline.step(genesis))).at(-1);
    expect(outcome?.kind).toBe(kind);
    const thrown = outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
    if (error instanceof Error) expect(thrown).toBe(error);
    else expect(thrown).toEqual(new Error('a fault'));
  });
});

describe('a start of the pipeline', () => {
  test('is required: without one the pipeline has no origin', async () => {
    const { genesis, pipeline } = await pipelineOf('granite');
    expect(() => pipeline.origin()).toThrow('was not reset to an L1 block yet');
    await pipeline.reset(genesis);
    expect(pipeline.origin().number).toBe(100);
  });

  test('that was found for a safe head is where the pipeline begins, with its inputs of alternative DA', async () => {
    const resets: number[] = [];
    const altDa: AltDaInputs = {
      advance: async () => {},
      input: async () => 'skip',
      finalizedBy: async () => null,
      reset: ({ number }) => void resets.push(number),
    };
    const { network, l1, blocks, pipeline } = await pipelineOf('granite', { altDa });
    const safe = network.sequencer.head();
    const start = await createPipeline(network.rollup, { l1, l2: network.sequencer, decompress }).startOf(safe);
    expect(blocks.at(-1)?.blockHash).toBe(safe.hash);
    expect(start).toEqual(await findPipelineStart(network.rollup, { l1, l2: network.sequencer }, safe));
    pipeline.resetTo({ ...start, origin: l1.head() });
    expect([pipeline.origin(), resets]).toEqual([l1RefOf(l1.head()), [102]]);
  });
});

describe('attributes that the engine refuses', () => {
  test.each([
    ['granite', 'dropped'],
    ['holocene', 'deposits-only'],
  ] as const)('are after %s %s, unless they have deposits alone: these end derivation', async (fork, kind) => {
    const { genesis, pipeline } = await pipelineOf(fork);
    await pipeline.reset(genesis);
    const outcome = await pipeline.next(genesis);
    const derived = outcome.kind === 'attributes' ? outcome.attributes : expect.fail(outcome.kind);
    expect(pipeline.payloadInvalid(derived).kind).toBe(kind);
    const { attributes } = derived;
    const deposits = { ...derived, attributes: { ...attributes, transactions: attributes.transactions.slice(0, 1) } };
    const error = new DerivationError(
      'fatal',
      `the engine calls the block upon L2 block 0 (${genesis.hash}) invalid, although it has only deposits`,
    );
    expect(pipeline.payloadInvalid(deposits)).toEqual({ kind: 'fatal', error });
  });
});
