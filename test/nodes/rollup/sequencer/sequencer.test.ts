import { afterEach, describe, expect, it } from 'vitest';
import { EngineController } from '../../../../src/nodes/rollup/engine/controller.ts';
import { EngineError } from '../../../../src/nodes/rollup/engine/error.ts';
import { EventLoop } from '../../../../src/nodes/rollup/loop/loop.ts';
import { NOOP_METRICER } from '../../../../src/nodes/rollup/metrics/metricer.ts';
import { Sequencer, type SequencerOptions } from '../../../../src/nodes/rollup/sequencer/sequencer.ts';
import { DerivationError } from '../../../../src/protocol/derivation/error.ts';
import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import type { ExecutionPayloadEnvelope } from '../../../../src/protocol/types.ts';
import { GENESIS_TIME, upTo } from '../../../protocol/genesis/inputs.ts';
import { manualClock, settle } from '../support/clock.ts';
import { genesisRef, scriptedEngine, scriptedL1, scriptedRollup, silent } from '../support/scripted.ts';

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** A sequencer over scripted L1 and engine, `ageSeconds` after genesis. */
async function sequence(
  options: {
    ageSeconds?: number;
    l1Head?: number;
    schedule?: ForkSchedule;
    drift?: number;
  } & Partial<Pick<SequencerOptions, 'maxSafeLag' | 'isRecovering' | 'isActive'>> = {},
) {
  const rollup = scriptedRollup(options.schedule ?? upTo('jovian'), { max_sequencer_drift: options.drift ?? 600 });
  const clock = manualClock((GENESIS_TIME + (options.ageSeconds ?? 0)) * 1000);
  const l1 = scriptedL1(options.l1Head ?? 100);
  const client = scriptedEngine(rollup);
  const published: ExecutionPayloadEnvelope[] = [];
  const resets: string[] = [];
  const engine = new EngineController(rollup, client, () => {});
  const genesis = genesisRef(rollup);
  await engine.reset({ unsafe: genesis, pendingSafe: genesis, safe: genesis, finalized: genesis });
  const sequencer = new Sequencer({
    rollup,
    l1,
    l2: client,
    engine,
    clock,
    log: silent,
    wake: () => loop.wake(),
    commit: undefined,
    publish: (envelope) => published.push(envelope),
    meter: NOOP_METRICER,
    requestReset(reason) {
      resets.push(reason);
      engine.suspend();
    },
    maxSafeLag: 0,
    isRecovering: false,
    isActive: true,
    ...options,
  });
  const loop = new EventLoop([sequencer], clock, silent, stopping.signal);
  const run = async (seconds?: number) => {
    if (seconds !== undefined) clock.moveTo((GENESIS_TIME + seconds) * 1000);
    await settle();
    await settle();
    return engine.heads().unsafe.number;
  };
  await run();
  return { sequencer, engine, client, l1, loop, published, resets, run };
}

describe('the sequencer', () => {
  it('starts a block as soon as its parent is the head and seals it at its timestamp', async () => {
    const { client, published, run } = await sequence();
    expect(client.builds.map(({ timestamp }) => timestamp)).toEqual([BigInt(GENESIS_TIME + 2)]);
    expect(await run(1.999)).toBe(0);
    expect(await run(2)).toBe(1);
    expect(published.map(({ executionPayload }) => executionPayload.timestamp)).toEqual([BigInt(GENESIS_TIME + 2)]);
    expect(client.builds.at(-1)?.timestamp).toBe(BigInt(GENESIS_TIME + 4));
  });

  it('starts the next block with the call that makes this one the head', async () => {
    const { client, engine, run } = await sequence();
    const { newPayload, forkchoice } = client;
    let plain = 0;
    client.newPayload = async (envelope) => {
      await settle();
      return newPayload(envelope);
    };
    client.forkchoice = async (state) => {
      plain++;
      return forkchoice(state);
    };
    for (const seconds of [2, 4, 6]) await run(seconds);
    await run();
    expect(engine.heads().unsafe.number).toBe(3);
    expect(client.state?.headBlockHash).toBe(engine.heads().unsafe.hash);
    expect(client.builds).toHaveLength(4);
    expect(plain).toBe(0);
  });

  it('makes this block the head although the next one is refused', async () => {
    const { client, engine, run } = await sequence();
    const { newPayload } = client;
    client.newPayload = async (envelope) => {
      await settle();
      client.failures.push({ method: 'startBuild', error: new EngineError('attributes', 'by the test') });
      return newPayload(envelope);
    };
    await run(2);
    await run();
    expect(engine.heads().unsafe.number).toBe(1);
    expect(client.state?.headBlockHash).toBe(engine.heads().unsafe.hash);
  });

  it('makes all blocks that are due when it is behind, and none ahead', async () => {
    const { published, run } = await sequence({ ageSeconds: 9 });
    for (let round = 0; round < 5; round++) await run();
    expect(await run()).toBe(4);
    expect(published.map(({ executionPayload }) => executionPayload.blockNumber)).toEqual([1, 2, 3, 4]);
  });

  it('moves to the next L1 origin as soon as a block may have it', async () => {
    const { engine, l1, run } = await sequence({ l1Head: 0 });
    await run(2);
    expect(engine.heads().unsafe).toMatchObject({ number: 1, sequenceNumber: 1, l1origin: { number: 0 } });
    l1.head = 2;
    await run(4);
    await run(6);
    expect(engine.heads().unsafe).toMatchObject({ number: 3, sequenceNumber: 0, l1origin: { number: 1 } });
  });

  it('continues without L1 as far as the drift allows, then waits for it', async () => {
    const { client, engine, l1, run } = await sequence({ schedule: upTo('ecotone'), drift: 6, l1Head: 0 });
    for (const seconds of [2, 4, 6, 8, 10]) await run(seconds);
    expect(engine.heads().unsafe).toMatchObject({ number: 3, l1origin: { number: 0 } });
    expect(client.builds).toHaveLength(3);
    l1.head = 10;
    await run(12);
    await run(13);
    expect(engine.heads().unsafe.number).toBeGreaterThan(3);
  });

  it('may continue without L1 for half an hour from fjord on, whatever the configuration says', async () => {
    const { engine, client, run } = await sequence({ schedule: upTo('fjord'), drift: 6, l1Head: 0, ageSeconds: 1804 });
    for (let round = 0; round < 400; round++) await run();
    expect(engine.heads().unsafe).toMatchObject({ number: 900, l1origin: { number: 0 } });
    expect(client.builds).toHaveLength(900);
  });

  it('makes empty blocks past the drift of an origin whose successor is newer than they', async () => {
    const { client, l1, run } = await sequence({ schedule: upTo('ecotone'), drift: 6, l1Head: 0 });
    const { headerByNumber, headerByHash } = l1;
    // The next L1 block comes 20 s after the first.
    const late = (header: Awaited<ReturnType<typeof headerByNumber>>) =>
      header && header.number > 0 ? { ...header, timestamp: GENESIS_TIME + 20 } : header;
    l1.headerByNumber = async (number) => late(await headerByNumber(number));
    l1.headerByHash = async (hash) => late(await headerByHash(hash));
    l1.head = 1;
    for (const seconds of [2, 4, 6, 8, 10, 12]) await run(seconds);
    expect(client.builds.map(({ noTxPool }) => noTxPool)).toEqual([false, false, false, true, true, true, true]);
  });

  it('keeps the origin when L1 announces a block and does not answer for its receipts', async () => {
    const { engine, l1, run } = await sequence({ l1Head: 0 });
    await run(2);
    l1.receipts = async () => {
      throw new Error('L1 is away');
    };
    l1.head = 3;
    await run(4);
    await run(6);
    expect(engine.heads().unsafe).toMatchObject({ number: 3, l1origin: { number: 0 } });
    l1.receipts = async () => [];
    await run(8);
    await run(10);
    expect(engine.heads().unsafe).toMatchObject({ l1origin: { number: 1 } });
  });

  it('keeps the origin when L1 takes longer than half of a block, and waits on a clock that stands', async () => {
    const { engine, l1, run } = await sequence({ l1Head: 0 });
    await run(2);
    const answer = Promise.withResolvers<never[]>();
    l1.receipts = () => answer.promise;
    l1.head = 3;
    await run(4);
    // The next block is begun at its parent's time, and the clock stands there.
    expect(engine.heads().unsafe).toMatchObject({ number: 2 });
    await expect.poll(() => run(6)).toBe(3);
    await expect.poll(() => run(8)).toBe(4);
    expect(engine.heads().unsafe).toMatchObject({ l1origin: { number: 0 } });
    answer.resolve([]);
    await expect.poll(() => run(10)).toBe(5);
    await expect.poll(() => run(12)).toBe(6);
    expect(engine.heads().unsafe.l1origin.number).toBeGreaterThan(0);
  });

  it('ends on L1 data that no node can derive from', async () => {
    const { l1, loop, run } = await sequence({ l1Head: 0 });
    l1.receipts = async () => {
      throw new DerivationError('fatal', 'a deposit is malformed');
    };
    l1.head = 3;
    const failure = expect(loop.done).rejects.toThrow('a deposit is malformed');
    await run(2);
    await run(4);
    await failure;
  });

  it('waits longer each time that the engine refuses its heads', async () => {
    const { client, engine, loop, resets, run } = await sequence();
    for (let time = 0; time < 20; time++)
      client.failures.push({ method: 'startBuild', error: new EngineError('forkchoice', 'other heads') });
    for (let at = 2000; at <= 2500; at += 10) {
      await run(at / 1000);
      if (!engine.isReady) await loop.run(() => engine.reset(engine.heads()));
    }
    expect(resets.length).toBeGreaterThan(2);
    expect(resets.length).toBeLessThan(7);
  });

  it('includes no pool transactions in recovery', async () => {
    const { client } = await sequence({ isRecovering: true });
    expect(client.builds[0]?.noTxPool).toBe(true);
    expect((await sequence()).client.builds[0]?.noTxPool).toBe(false);
  });

  it('waits for the safe head when it is too far ahead of it', async () => {
    const { engine, run, loop } = await sequence({ ageSeconds: 20, maxSafeLag: 3 });
    for (let round = 0; round < 5; round++) await run();
    expect(await run()).toBe(3);
    const { unsafe } = engine.heads();
    await engine.promoteSafe(unsafe, true);
    loop.wake();
    for (let round = 0; round < 5; round++) await run();
    expect(await run()).toBe(6);
  });

  it('makes no block while stopped, not even the one under construction', async () => {
    const { sequencer, run } = await sequence();
    sequencer.stop();
    expect(await run(20)).toBe(0);
    sequencer.start();
    for (let round = 0; round < 20; round++) await run();
    expect(await run()).toBe(10);
  });

  it('drops a block under construction when the head changes', async () => {
    const { engine, client, loop, run } = await sequence();
    const other = scriptedEngine(scriptedRollup(), 1);
    const id = await other.startBuild(client.state!, client.builds[0]!);
    const foreign = await other.getPayload(id, 0);
    await loop.run(() => engine.insert(foreign));
    await run(2);
    expect(engine.heads().unsafe.hash).toBe(foreign.executionPayload.blockHash);
    expect(await run(4)).toBe(2);
  });

  it.each([
    ['a build that is gone', 'getPayload', 'unknown-payload'],
    ['an engine that does not answer', 'startBuild', 'temporary'],
    ['an engine that does not answer at the seal', 'getPayload', 'temporary'],
    ['a block that its own engine refuses', 'newPayload', 'invalid'],
  ] as const)('starts again after %s', async (_, method, kind) => {
    const { client, run } = await sequence();
    client.failures.push({ method, error: new EngineError(kind, 'by the test') });
    for (const seconds of [2, 3, 4, 5, 6]) await run(seconds);
    expect(await run(7)).toBeGreaterThanOrEqual(2);
  });

  it('inserts the block that it published once its engine answers, and makes no other of that height', async () => {
    const { sequencer, client, published, run, engine } = await sequence();
    client.failures.push({ method: 'newPayload', error: new EngineError('temporary', 'by the test') });
    expect(await run(2)).toBe(0);
    expect(sequencer.isInserting).toBe(true);
    await run(2.5);
    expect(sequencer.isInserting).toBe(false);
    await run(4);
    expect(published.map(({ executionPayload }) => executionPayload.blockNumber)).toEqual([1, 2]);
    expect(engine.heads().unsafe.hash).toBe(published[1]?.executionPayload.blockHash);
  });

  it('requests an engine reset when L1 or the engine has other blocks', async () => {
    const reorged = await sequence({ l1Head: 1 });
    await reorged.run(4);
    reorged.l1.reorg(1);
    reorged.l1.head = 3;
    await reorged.run(8);
    expect(reorged.resets[0]).toContain('L1 was reorganised');
    const refused = await sequence();
    refused.client.failures.push({ method: 'forkchoice', error: new EngineError('forkchoice', 'other heads') });
    await refused.run(2);
    expect(refused.resets).toEqual(['other heads']);
  });

  it('requests an engine reset when the engine keeps lacking blocks', async () => {
    const { client, resets, run } = await sequence();
    await run(2);
    for (let time = 0; time < 3; time++)
      client.failures.push({ method: 'startBuild', error: new EngineError('syncing', 'lacking') });
    client.failures.unshift({ method: 'getPayload', error: new EngineError('unknown-payload', 'gone') });
    for (const seconds of [4, 5, 6, 7, 8]) await run(seconds);
    expect(resets).toEqual(['lacking: it lost blocks that it had']);
  });
});
