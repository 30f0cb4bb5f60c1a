import { afterEach, describe, expect, it } from 'vitest';
import { derivationPart } from '../../../../src/nodes/rollup/driver/derivation.ts';
import { startLoop } from '../../../../src/nodes/rollup/driver/loop.ts';
import { engineController } from '../../../../src/nodes/rollup/engine/controller.ts';
import { EngineError } from '../../../../src/nodes/rollup/engine/error.ts';
import { prepareAttributes } from '../../../../src/protocol/derivation/attributes.ts';
import type {
  ActionableOutcome,
  AttributesWithParent,
  InvalidPayloadOutcome,
  Pipeline,
} from '../../../../src/protocol/derivation/pipeline.ts';
import type { L1BlockRef, L2BlockRef } from '../../../../src/protocol/types.ts';
import { GENESIS_TIME } from '../../../protocol/genesis/inputs.ts';
import { manualClock, settle } from '../support/clock.ts';
import { genesisRef, scriptedEngine, scriptedL1, scriptedRollup, silent } from '../support/scripted.ts';

const rollup = scriptedRollup();
const genesis = genesisRef(rollup);
const l1 = scriptedL1(100);

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** The driver's derivation over a pipeline that gives what the test says, then `eof`. */
async function derive(invalid: (derived: AttributesWithParent) => InvalidPayloadOutcome = () => ({ kind: 'dropped' })) {
  const clock = manualClock(GENESIS_TIME * 1000);
  const client = scriptedEngine(rollup);
  const engine = engineController(rollup, client, () => {});
  await engine.reset({ unsafe: genesis, pendingSafe: genesis, safe: genesis, finalized: genesis });
  const outcomes: ActionableOutcome[] = [];
  const asked: L2BlockRef[] = [];
  const origin = (await l1.headerByNumber(7)) as L1BlockRef;
  const pipeline: Pipeline = {
    reset: async () => {},
    step: async () => ({ kind: 'eof' }),
    async next(head) {
      asked.push(head);
      return outcomes.shift() ?? { kind: 'eof' };
    },
    origin: () => origin,
    payloadInvalid: invalid,
  };
  const resets: string[] = [];
  const safe: number[] = [];
  const exhausted: number[] = [];
  const part = derivationPart({
    rollup,
    pipeline,
    engine,
    client,
    clock,
    log: silent,
    wake: () => loop.wake(),
    requestReset: (reason) => resets.push(reason),
    onSafe: (_, head) => safe.push(head.number),
    onExhausted: (_, head) => exhausted.push(head.number),
  });
  const loop = startLoop([part], clock, silent, stopping.signal);
  await loop.run(() => part.reset(genesis));
  const give = async (...more: ActionableOutcome[]) => {
    outcomes.push(...more);
    part.nudge();
    for (let round = 0; round < 4; round++) await settle();
    return engine.heads();
  };
  return { engine, client, part, loop, clock, resets, safe, exhausted, asked, give };
}

/** What L1 says of the block upon `parent`. */
async function derived(
  engine: ReturnType<typeof scriptedEngine>,
  parent: L2BlockRef,
  concluding = true,
): Promise<ActionableOutcome> {
  const attributes = await prepareAttributes(rollup, l1, engine, parent, parent.l1origin);
  const derivedFrom = (await l1.headerByNumber(7)) as L1BlockRef;
  return { kind: 'attributes', attributes: { attributes, parent, derivedFrom, concluding } };
}

describe('derivation in the driver', () => {
  it('builds a derived block where there is none', async () => {
    const { client, give, safe } = await derive();
    const heads = await give(await derived(client, genesis));
    expect([heads.unsafe.number, heads.safe.number]).toEqual([1, 1]);
    expect(heads.safe.hash).toBe(client.state?.safeBlockHash);
    expect(safe).toEqual([1]);
  });

  it('makes an unsafe block safe that is what L1 says, without building it again', async () => {
    const { engine, client, loop, give } = await derive();
    const outcome = await derived(client, genesis);
    const build = await client.startBuild(
      { headBlockHash: genesis.hash, safeBlockHash: genesis.hash, finalizedBlockHash: genesis.hash },
      (outcome as { attributes: AttributesWithParent }).attributes.attributes,
    );
    const block = await client.getPayload(build, 0);
    const { hash } = await loop.run(() => engine.insert(block));
    const heads = await give(outcome);
    expect([heads.unsafe.hash, heads.safe.hash]).toEqual([hash, hash]);
    expect(client.builds).toHaveLength(1);
  });

  it('replaces an unsafe block that is not what L1 says', async () => {
    const { engine, client, loop, give } = await derive();
    const outcome = await derived(client, genesis);
    const { attributes } = (outcome as { attributes: AttributesWithParent }).attributes;
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

  it('holds back the safe head until the batch is whole', async () => {
    const { client, give, safe } = await derive();
    const first = await give(await derived(client, genesis, false));
    expect([first.unsafe.number, first.pendingSafe.number, first.safe.number]).toEqual([1, 1, 0]);
    const second = await give(await derived(client, first.pendingSafe, true));
    expect([second.pendingSafe.number, second.safe.number]).toEqual([2, 2]);
    expect(safe).toEqual([2]);
  });

  it('tries the deposits alone where the engine refuses the block', async () => {
    let tried = 0;
    const { client, give } = await derive((refused) => {
      tried++;
      const { attributes } = refused;
      return { kind: 'deposits-only', attributes: { ...refused, attributes: { ...attributes, gasLimit: 1 } } };
    });
    client.failures.push({ method: 'newPayload', error: new EngineError('invalid', 'by the test') });
    const heads = await give(await derived(client, genesis));
    expect([heads.safe.number, tried]).toEqual([1, 1]);
    expect(client.builds.map(({ gasLimit }) => gasLimit === 1)).toEqual([false, true]);
  });

  it('goes back to the safe head where the rest of the batch was dropped', async () => {
    const { client, give, asked } = await derive();
    const first = await give(await derived(client, genesis, false));
    client.failures.push({ method: 'startBuild', error: new EngineError('attributes', 'by the test') });
    const heads = await give(await derived(client, first.pendingSafe, true));
    expect([heads.pendingSafe.number, heads.safe.number]).toEqual([0, 0]);
    expect(asked.at(-1)?.number).toBe(0);
  });

  it('stops where even the deposits are refused', async () => {
    const { client, loop, give } = await derive(() => ({
      kind: 'fatal',
      error: new Error('engine and configuration disagree'),
    }));
    const ended = expect(loop.done).rejects.toThrow('engine and configuration disagree');
    client.failures.push({ method: 'newPayload', error: new EngineError('invalid', 'by the test') });
    await give(await derived(client, genesis));
    await ended;
  });

  it('keeps derived attributes over a pause of the engine', async () => {
    const { client, clock, give, loop } = await derive();
    client.failures.push({ method: 'startBuild', error: new EngineError('temporary', 'by the test') });
    const waiting = await give(await derived(client, genesis));
    expect(waiting.safe.number).toBe(0);
    clock.moveTo(clock.now() + 5000);
    loop.wake();
    expect((await give()).safe.number).toBe(1);
  });

  it('asks again after a pause, and for new heads after a contradiction', async () => {
    const { give, resets, asked, clock } = await derive();
    await give({ kind: 'retry', error: new Error('L1 is away') });
    const before = asked.length;
    clock.moveTo(clock.now() + 5000);
    await settle();
    expect(asked.length).toBeGreaterThan(before);
    await give({ kind: 'reset', error: new Error('L1 was reorganised') });
    expect(resets).toEqual(['L1 was reorganised']);
    const rested = asked.length;
    await give();
    expect(asked).toHaveLength(rested);
  });

  it('rests at the end of L1 until it has another block', async () => {
    const { give, asked, exhausted } = await derive();
    await give();
    const before = asked.length;
    await settle();
    expect(asked).toHaveLength(before);
    await give();
    expect(asked).toHaveLength(before + 1);
    expect(exhausted.every((number) => number === 0)).toBe(true);
  });
});
