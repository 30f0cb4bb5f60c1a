import { afterEach, describe, expect, it } from 'vitest';
import { PipelineDeriver } from '../../../../src/nodes/rollup/driver/pipeline-deriver.ts';
import { EngineController } from '../../../../src/nodes/rollup/engine/controller.ts';
import { EngineError } from '../../../../src/nodes/rollup/engine/error.ts';
import type { ForkchoiceState } from '../../../../src/nodes/rollup/engine/forkchoice.ts';
import { type Deriver, EventLoop } from '../../../../src/nodes/rollup/loop/loop.ts';
import { prepareAttributes } from '../../../../src/protocol/derivation/attributes/attributes.ts';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { DerivationError } from '../../../../src/protocol/derivation/error.ts';
import type {
  ActionableOutcome,
  AttributesWithParent,
  InvalidPayloadOutcome,
  Pipeline,
} from '../../../../src/protocol/derivation/pipeline/pipeline.ts';
import type { L2Chain } from '../../../../src/protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L1BlockRef, L2BlockRef } from '../../../../src/protocol/types.ts';
import { GENESIS_TIME } from '../../../protocol/genesis/inputs.ts';
import { manualClock, settle } from '../support/clock.ts';
import { chainOf, genesisRef, scriptedEngine, scriptedL1, scriptedRollup, silent } from '../support/scripted.ts';

const rollup = scriptedRollup();
const genesis = genesisRef(rollup);
const l1 = scriptedL1(100);

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** The pipeline deriver over a scripted pipeline, which ends with `eof`. */
async function derive(
  invalid: (derived: AttributesWithParent) => InvalidPayloadOutcome = () => ({ kind: 'dropped' }),
  beside: readonly Deriver[] = [],
) {
  const clock = manualClock(GENESIS_TIME * 1000);
  const client = scriptedEngine(rollup);
  const engine = new EngineController(rollup, client, () => {});
  await engine.reset({ unsafe: genesis, pendingSafe: genesis, safe: genesis, finalized: genesis });
  const outcomes: ActionableOutcome[] = [];
  const parents: L2BlockRef[] = [];
  /** Hashes of the blocks in `parents`, as the pipeline reads them by hash and by number. */
  const read: (Hex | undefined)[][] = [];
  let chain: L2Chain | undefined;
  const origin = (await l1.headerByNumber(7)) as L1BlockRef;
  const pipeline: Pipeline = {
    reset: async () => {},
    startOf: () => Promise.reject(new Error('not asked')),
    resetTo: () => {},
    step: async () => ({ kind: 'eof' }),
    async next(head) {
      parents.push(head);
      const blocks = [await chain?.payloadByHash(head.hash), await chain?.payloadByNumber(head.number)];
      read.push(blocks.map((block) => block?.executionPayload.blockHash));
      return outcomes.shift() ?? { kind: 'eof' };
    },
    origin: () => origin,
    payloadInvalid: invalid,
  };
  const resets: string[] = [];
  const safe: number[] = [];
  const exhausted: number[] = [];
  const final: L2BlockRef[] = [];
  const part = new PipelineDeriver({
    rollup,
    createPipeline(l2) {
      chain = l2;
      return pipeline;
    },
    engine,
    client,
    clock,
    log: silent,
    wake: () => loop.wake(),
    lacksData: () => false,
    onFailure: () => {},
    requestReset: (reason) => resets.push(reason),
    onSafe: (_, head) => safe.push(head.number),
    takeFinal: () => final.shift(),
    onExhausted: (_, head) => exhausted.push(head.number),
  });
  const loop = new EventLoop([...beside, part], clock, silent, stopping.signal);
  await loop.run(() => part.reset(genesis));
  const give = async (...more: ActionableOutcome[]) => {
    outcomes.push(...more);
    part.onL1Head();
    for (let round = 0; round < 4; round++) await settle();
    return engine.heads();
  };
  return { engine, client, part, loop, clock, resets, safe, final, exhausted, parents, read, give };
}

/** Returns the derived attributes of the block after `parent`. */
async function derived(
  engine: ReturnType<typeof scriptedEngine>,
  parent: L2BlockRef,
  concluding = true,
): Promise<Extract<ActionableOutcome, { kind: 'attributes' }>> {
  const attributes = await prepareAttributes(rollup, l1, engine, parent, parent.l1origin);
  const derivedFrom = (await l1.headerByNumber(7)) as L1BlockRef;
  return { kind: 'attributes', attributes: { attributes, parent, derivedFrom, concluding } };
}

describe('derivation in the driver', () => {
  it('builds a derived block when there is no unsafe block of its height', async () => {
    const { client, give, safe } = await derive();
    const heads = await give(await derived(client, genesis));
    expect([heads.unsafe.number, heads.safe.number]).toEqual([1, 1]);
    expect(heads.safe.hash).toBe(client.state?.safeBlockHash);
    expect(safe).toEqual([1]);
  });

  it('makes a matching unsafe block safe without building it again', async () => {
    const { engine, client, loop, give } = await derive();
    const outcome = await derived(client, genesis);
    const build = await client.startBuild(
      { headBlockHash: genesis.hash, safeBlockHash: genesis.hash, finalizedBlockHash: genesis.hash },
      outcome.attributes.attributes,
    );
    const block = await client.getPayload(build, 0);
    const { hash } = await loop.run(() => engine.insert(block));
    const heads = await give(outcome);
    expect([heads.unsafe.hash, heads.safe.hash]).toEqual([hash, hash]);
    expect(client.builds).toHaveLength(1);
  });

  it('makes a block safe and an older one final with one call', async () => {
    const { engine, client, final, loop, give } = await derive();
    const [first, second] = await chainOf(rollup, 2);
    for (const block of [first!, second!]) await loop.run(() => engine.insert(block));
    const ref = blockRefOf(rollup, first!.executionPayload);
    const last = await derived(client, ref);
    await give(await derived(client, genesis));
    const states: ForkchoiceState[] = [];
    const { forkchoice } = client;
    client.forkchoice = async (state) => {
      states.push(state);
      return forkchoice(state);
    };
    final.push(ref);
    const heads = await give(last);
    expect([heads.safe.number, heads.finalized.number]).toEqual([2, 1]);
    expect(states).toEqual([
      { headBlockHash: heads.unsafe.hash, safeBlockHash: heads.unsafe.hash, finalizedBlockHash: ref.hash },
    ]);
  });

  it('replaces an unsafe block that does not match', async () => {
    const { engine, client, loop, give } = await derive();
    const outcome = await derived(client, genesis);
    const { attributes } = outcome.attributes;
    const state = { headBlockHash: genesis.hash, safeBlockHash: genesis.hash, finalizedBlockHash: genesis.hash };
    const build = await client.startBuild(state, {
      ...attributes,
      transactions: [...attributes.transactions, '0x02c0'],
    });
    const unsafe = await loop.run(async () => engine.insert(await client.getPayload(build, 0)));
    const heads = await give(outcome);
    expect(heads.unsafe.hash).toBe(heads.safe.hash);
    expect(heads.unsafe.hash).not.toBe(unsafe.hash);
  });

  it('has no L1 origin during an engine reset, and derives nothing', async () => {
    const { client, part, loop, give, safe } = await derive();
    expect(part.origin()?.number).toBe(7);
    part.suspend();
    expect(part.origin()).toBeUndefined();
    await give(await derived(client, genesis));
    expect(safe).toEqual([]);
    await loop.run(() => part.reset(genesis));
    expect(part.origin()?.number).toBe(7);
  });

  it('holds back the safe head until the batch is whole', async () => {
    const { client, give, safe } = await derive();
    const first = await give(await derived(client, genesis, false));
    expect([first.unsafe.number, first.pendingSafe.number, first.safe.number]).toEqual([1, 1, 0]);
    const second = await give(await derived(client, first.pendingSafe, true));
    expect([second.pendingSafe.number, second.safe.number]).toEqual([2, 2]);
    expect(safe).toEqual([2]);
  });

  it('tries the deposits alone when the engine refuses the block', async () => {
    let tried = 0;
    const { client, give } = await derive((refused) => {
      tried++;
      const { attributes } = refused;
      return { kind: 'deposits-only', attributes: { ...refused, attributes: { ...attributes, gasLimit: 1n } } };
    });
    client.failures.push({ method: 'startBuild', error: new EngineError('attributes', 'by the test') });
    const heads = await give(await derived(client, genesis));
    expect([heads.safe.number, tried]).toEqual([1, 1]);
    expect(client.builds.map(({ gasLimit }) => gasLimit === 1n)).toEqual([true]);
  });

  /** An unsafe chain of two blocks that contradicts L1, and the derived attributes of the first. */
  async function contradicted(invalid?: (derived: AttributesWithParent) => InvalidPayloadOutcome) {
    const driver = await derive(invalid);
    for (const block of await chainOf(rollup, 2, 1)) await driver.loop.run(() => driver.engine.insert(block));
    const outcome = await derived(driver.client, genesis);
    const { attributes } = outcome.attributes;
    return {
      ...driver,
      outcome: { ...outcome, attributes: { ...outcome.attributes, attributes: { ...attributes, gasLimit: 7n } } },
    };
  }

  it.each([
    ['the attributes', 'startBuild', 'attributes'],
    ['the build', 'getPayload', 'invalid'],
  ] as const)(
    'makes the deposits-only block below an unsafe head without an engine reset, when the engine refuses %s',
    async (_, method, kind) => {
      const { client, give, resets, outcome } = await contradicted((refused) => ({
        kind: 'deposits-only',
        attributes: { ...refused, attributes: { ...refused.attributes, gasLimit: 1n } },
      }));
      client.failures.push({ method, error: new EngineError(kind, 'by the test') });
      const heads = await give(outcome);
      expect(resets).toEqual([]);
      expect([heads.unsafe.number, heads.safe.number]).toEqual([1, 1]);
      expect(client.builds.at(-1)?.gasLimit).toBe(1n);
      expect(heads.unsafe.hash).toBe(client.state?.headBlockHash);
    },
  );

  it('drops a batch below an unsafe head without an engine reset, and continues with the next one', async () => {
    const { client, give, resets, outcome } = await contradicted();
    client.failures.push({ method: 'startBuild', error: new EngineError('attributes', 'by the test') });
    const heads = await give(outcome, await derived(client, genesis));
    expect(resets).toEqual([]);
    expect([heads.unsafe.number, heads.safe.number]).toEqual([1, 1]);
  });

  it('builds again below an unsafe head after a temporary failure of the engine', async () => {
    const { client, clock, loop, give, resets, outcome } = await contradicted();
    client.failures.push({ method: 'getPayload', error: new EngineError('temporary', 'by the test') });
    await give(outcome);
    clock.moveTo(clock.now() + 5000);
    loop.wake();
    const heads = await give();
    expect(resets).toEqual([]);
    expect([heads.unsafe.number, heads.safe.number]).toEqual([1, 1]);
  });

  it('goes back to the safe head when the rest of the batch was dropped', async () => {
    const { client, give, parents } = await derive();
    const first = await give(await derived(client, genesis, false));
    client.failures.push({ method: 'startBuild', error: new EngineError('attributes', 'by the test') });
    const heads = await give(await derived(client, first.pendingSafe, true));
    expect([heads.pendingSafe.number, heads.safe.number]).toEqual([0, 0]);
    expect(parents.at(-1)?.number).toBe(0);
  });

  it('stops when the engine refuses even the deposits', async () => {
    const { client, loop, give } = await derive(() => ({
      kind: 'fatal',
      error: new Error('engine and configuration disagree'),
    }));
    const failure = expect(loop.done).rejects.toThrow('engine and configuration disagree');
    client.failures.push({ method: 'startBuild', error: new EngineError('attributes', 'by the test') });
    await give(await derived(client, genesis));
    await failure;
  });

  it('keeps derived attributes during a temporary failure of the engine', async () => {
    const { client, clock, give, loop } = await derive();
    client.failures.push({ method: 'startBuild', error: new EngineError('temporary', 'by the test') });
    const waiting = await give(await derived(client, genesis));
    expect(waiting.safe.number).toBe(0);
    clock.moveTo(clock.now() + 5000);
    loop.wake();
    expect((await give()).safe.number).toBe(1);
  });

  describe('while the engine executes a block', () => {
    /** An engine that executes payloads slowly, and two blocks of one batch. */
    async function twoBlocks(invalid?: (derived: AttributesWithParent) => InvalidPayloadOutcome) {
      const driver = await derive(invalid);
      const { client } = driver;
      const { newPayload, forkchoice } = client;
      const calls: string[] = [];
      Object.assign(client, {
        async newPayload(envelope: ExecutionPayloadEnvelope) {
          calls.push('newPayload');
          await settle();
          return newPayload(envelope);
        },
        async forkchoice(state: ForkchoiceState) {
          calls.push('forkchoice');
          return forkchoice(state);
        },
      });
      const [block] = await chainOf(rollup, 1);
      const ref = blockRefOf(rollup, block!.executionPayload);
      const first = await derived(client, genesis, false);
      client.blocks.set(ref.hash, block!);
      const second = await derived(client, ref);
      client.blocks.delete(ref.hash);
      return { ...driver, calls, first, second, ref };
    }

    it('derives the next block, and starts its build with the call that makes this block the head', async () => {
      const { client, calls, give, parents, first, second, ref } = await twoBlocks();
      const heads = await give(first, second);
      expect([heads.unsafe.number, heads.safe.number]).toEqual([2, 2]);
      expect(parents.filter(({ hash }) => hash === ref.hash)).toHaveLength(1);
      expect(client.builds).toHaveLength(2);
      expect(calls).toEqual(['newPayload', 'newPayload', 'forkchoice']);
    });

    it('reads that block at the head of the chain, by hash and by number', async () => {
      const { give, parents, read, first, second, ref } = await twoBlocks();
      await give(first, second);
      expect(read[parents.findIndex(({ hash }) => hash === ref.hash)]).toEqual([ref.hash, ref.hash]);
    });

    it('has the L1 origin of the block that is not applied yet', async () => {
      const { part, give, first, client } = await twoBlocks();
      client.failures.push({ method: 'newPayload', error: new EngineError('temporary', 'by the test') });
      const derivedFrom = (await l1.headerByNumber(5)) as L1BlockRef;
      await give({ kind: 'attributes', attributes: { ...first.attributes, derivedFrom } });
      expect(part.origin()).toEqual(derivedFrom);
    });

    it('makes the block the head although the build of the next one cannot start', async () => {
      const { client, calls, give, first, second } = await twoBlocks();
      const { getPayload } = client;
      client.getPayload = async (...args) => {
        if (client.builds.length === 1)
          client.failures.push({ method: 'startBuild', error: new EngineError('attributes', 'by the test') });
        return getPayload(...args);
      };
      const heads = await give(first, second);
      expect([heads.unsafe.number, heads.safe.number]).toEqual([2, 2]);
      expect(calls).toEqual(['newPayload', 'forkchoice', 'newPayload', 'forkchoice']);
    });

    it('applies a block again after a backoff without deriving the next one twice', async () => {
      const { client, clock, loop, give, parents, first, second } = await twoBlocks();
      client.failures.push({ method: 'newPayload', error: new EngineError('temporary', 'by the test') });
      expect((await give(first, second)).unsafe.number).toBe(0);
      clock.moveTo(clock.now() + 5000);
      loop.wake();
      expect((await give()).safe.number).toBe(2);
      expect(parents.filter(({ number }) => number === 1)).toHaveLength(1);
    });

    it('restarts the pipeline, and does not derive ahead again, when the engine refuses the block', async () => {
      const { client, part, loop, give, parents, resets, first, second, ref } = await twoBlocks((refused) => ({
        kind: 'deposits-only',
        attributes: { ...refused, attributes: { ...refused.attributes, gasLimit: 1n } },
      }));
      const refusal = { method: 'newPayload' as const, error: new EngineError('invalid', 'by the test') };
      client.failures.push(refusal, refusal);
      await give(first, second);
      expect(resets).toEqual([expect.stringContaining('refuses the block that it built itself')]);
      await loop.run(() => part.reset(genesis));
      const heads = await give(first);
      expect(client.builds.map(({ gasLimit }) => gasLimit === 1n)).toEqual([false, false, true]);
      expect([heads.unsafe.number, resets.length]).toEqual([1, 1]);
      expect(parents.filter(({ hash }) => hash === ref.hash)).toHaveLength(1);
    });
  });

  it('retries after a backoff, and requests an engine reset after a contradiction', async () => {
    const { give, resets, parents, clock } = await derive();
    await give({ kind: 'retry', error: new Error('L1 is away') });
    const before = parents.length;
    clock.moveTo(clock.now() + 5000);
    await settle();
    expect(parents.length).toBeGreaterThan(before);
    await give({ kind: 'reset', error: new Error('L1 was reorganised') });
    expect(resets).toEqual(['L1 was reorganised']);
    const rested = parents.length;
    await give();
    expect(parents).toHaveLength(rested);
  });

  it('derives while the sequencer always has work', async () => {
    let count = 0;
    let isBehind = () => false;
    const sequencer: Deriver = {
      name: 'sequencer',
      async step() {
        if (!isBehind()) return null;
        count++;
        return 'again';
      },
    };
    const { engine, client, loop, give } = await derive(undefined, [sequencer]);
    const blocks = await chainOf(rollup, 40);
    for (const block of blocks) await loop.run(() => engine.insert(block));
    const parents = [
      genesis,
      ...blocks.slice(0, -1).map(({ executionPayload }) => blockRefOf(rollup, executionPayload)),
    ];
    const outcomes = await Promise.all(parents.map((parent) => derived(client, parent)));
    isBehind = () => engine.heads().safe.number < 24;
    await give(...outcomes);
    await expect.poll(isBehind).toBe(false);
    expect(count, 'blocks that the sequencer makes meanwhile').toBeLessThan(24);
  });

  it('is idle at the end of L1 until there is another block', async () => {
    const { give, parents, exhausted } = await derive();
    await give();
    const before = parents.length;
    await settle();
    expect(parents).toHaveLength(before);
    await give();
    expect(parents).toHaveLength(before + 1);
    expect(exhausted.every((number) => number === 0)).toBe(true);
  });

  it('waits longer before each reset for the same reason, and not before one for another', async () => {
    const { part, clock, resets, parents, give } = await derive();
    const missing: ActionableOutcome = {
      kind: 'reset',
      error: new DerivationError('reset', 'L1 does not have the blob'),
    };
    await give(missing);
    await part.reset(genesis);
    await give(missing);
    expect(resets).toHaveLength(2);
    await part.reset(genesis);
    const before = parents.length;
    await give(missing);
    expect([resets.length, parents.length]).toEqual([2, before]);
    clock.moveTo(clock.now() + 50);
    await give();
    expect(resets).toHaveLength(3);
    await part.reset(genesis);
    clock.moveTo(clock.now() + 50);
    await give(missing);
    expect(resets).toHaveLength(3);
    clock.moveTo(clock.now() + 50);
    await give();
    expect(resets).toHaveLength(4);
  });
});
