import { afterEach, describe, expect, it } from 'vitest';
import { elSync } from '../../../../src/nodes/rollup/driver/el-sync.ts';
import { engineResetDeriver } from '../../../../src/nodes/rollup/driver/engine-reset.ts';
import { EngineController } from '../../../../src/nodes/rollup/engine/controller.ts';
import { EngineError } from '../../../../src/nodes/rollup/engine/error.ts';
import { EventLoop } from '../../../../src/nodes/rollup/loop/loop.ts';
import type { ExecutionPayloadEnvelope } from '../../../../src/protocol/types.ts';
import { GENESIS_TIME } from '../../../protocol/genesis/inputs.ts';
import { manualClock, settle } from '../support/clock.ts';
import { chainOf, genesisRef, scriptedEngine, scriptedL1, scriptedRollup, silent } from '../support/scripted.ts';

const rollup = scriptedRollup();
const genesis = genesisRef(rollup);

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** A starting node whose engine has only genesis, and fetches from peers what `peers` holds on request. */
async function starting(peers: readonly ExecutionPayloadEnvelope[], afterFinality = false) {
  const clock = manualClock(GENESIS_TIME * 1000);
  const client = scriptedEngine(rollup);
  const engine = new EngineController(rollup, client, () => {});
  const sync = elSync({ rollup, client, log: silent, afterFinality });
  const startHeads: number[] = [];
  const part = engineResetDeriver({
    rollup,
    l1: scriptedL1(100),
    client,
    engine,
    clock,
    log: silent,
    wake: () => loop.wake(),
    isL1Known: () => true,
    l1ChainId: async () => rollup.config.l1_chain_id,
    finalizedBy: () => undefined,
    engineSync: sync,
    onReset: () => {},
    onHeads: async ({ safe }) => void startHeads.push(safe.number),
  });
  const loop = new EventLoop([part], clock, silent, stopping.signal);
  return {
    client,
    engine,
    sync,
    startHeads,
    restart: () => part.request('test'),
    /** Moves the clock. */
    async pass() {
      clock.moveTo(clock.now() + 1000);
      await settle();
      await settle();
    },
    fetch: () => {
      for (const block of peers) client.blocks.set(block.executionPayload.blockHash, block);
    },
  };
}

describe('execution-layer sync', () => {
  it('waits while the engine answers SYNCING, and continues after the block that the engine has fetched', async () => {
    const blocks = await chainOf(rollup, 6);
    const { engine, sync, startHeads, pass, fetch, client } = await starting(blocks.slice(0, 5));
    await pass();
    expect([engine.isReady, startHeads]).toEqual([false, []]);
    sync.addTarget(blocks[5]!);
    sync.addTarget(blocks[2]!);
    await pass();
    expect([engine.isReady, sync.target()?.number]).toEqual([false, 6]);
    fetch();
    await pass();
    const { unsafe, safe, finalized } = engine.heads();
    expect([unsafe.number, safe.number, finalized.number, startHeads]).toEqual([6, 6, 6, [6]]);
    expect(client.state?.finalizedBlockHash).toBe(blocks[5]!.executionPayload.blockHash);
    expect(sync.target()).toBeUndefined();
  });

  it('requests another block when the engine answers INVALID', async () => {
    const blocks = await chainOf(rollup, 6);
    const { engine, sync, pass, fetch, client } = await starting(blocks.slice(0, 4));
    fetch();
    client.invalid.add(blocks[5]!.executionPayload.blockHash);
    sync.addTarget(blocks[5]!);
    await pass();
    expect([engine.isReady, sync.target()]).toEqual([false, undefined]);
    sync.addTarget(blocks[4]!);
    await pass();
    expect(engine.heads().unsafe.number).toBe(5);
  });

  it('does not run for an engine that has finalized blocks', async () => {
    const blocks = await chainOf(rollup, 3);
    const { client, engine, startHeads, pass, fetch } = await starting(blocks);
    fetch();
    client.payloadByLabel = async () => blocks[1]!;
    await pass();
    expect([engine.isReady, startHeads]).toEqual([true, [2]]);
  });

  it('runs once for an engine that supports it with finalized blocks', async () => {
    const blocks = await chainOf(rollup, 3);
    const { client, engine, sync, startHeads, pass, fetch, restart } = await starting(blocks, true);
    fetch();
    client.payloadByLabel = async () => blocks[1]!;
    await pass();
    expect([engine.isReady, startHeads]).toEqual([false, []]);
    sync.addTarget(blocks[2]!);
    await pass();
    expect([engine.isReady, startHeads]).toEqual([true, [3]]);
    client.payloadByLabel = async () => blocks[2]!;
    restart();
    await pass();
    expect([engine.isReady, startHeads]).toEqual([true, [3, 3]]);
  });

  it('waits for an engine that does not answer', async () => {
    const blocks = await chainOf(rollup, 2);
    const { client, engine, sync, pass, fetch } = await starting(blocks);
    fetch();
    sync.addTarget(blocks[1]!);
    client.failures.push({ method: 'newPayload', error: new EngineError('temporary', 'away') });
    await pass();
    await pass();
    expect([engine.isReady, genesis.number, engine.heads().safe.number]).toEqual([true, 0, 2]);
  });
});
