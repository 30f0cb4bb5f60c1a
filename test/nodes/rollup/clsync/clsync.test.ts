import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ClSync } from '../../../../src/nodes/rollup/clsync/clsync.ts';
import { payloadsQueue } from '../../../../src/nodes/rollup/clsync/payloads-queue.ts';
import { EngineController } from '../../../../src/nodes/rollup/engine/controller.ts';
import { EngineError } from '../../../../src/nodes/rollup/engine/error.ts';
import { EventLoop } from '../../../../src/nodes/rollup/loop/loop.ts';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import type { ExecutionPayloadEnvelope, L2BlockRef } from '../../../../src/protocol/types.ts';
import { GENESIS_TIME } from '../../../protocol/genesis/inputs.ts';
import { type ManualClock, manualClock, settle } from '../support/clock.ts';
import { chainOf, genesisRef, scriptedEngine, scriptedRollup, silent } from '../support/scripted.ts';

const rollup = scriptedRollup();
const genesis = genesisRef(rollup);

const chain = (
  length: number,
  ...more: [salt?: number, parent?: L2BlockRef, upon?: readonly ExecutionPayloadEnvelope[]]
) => chainOf(rollup, length, ...more);

const refOf = (block: ExecutionPayloadEnvelope) => blockRefOf(rollup, block.executionPayload);
const hashOf = (block: ExecutionPayloadEnvelope | undefined) => block?.executionPayload.blockHash;

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

async function follow(
  peer: readonly ExecutionPayloadEnvelope[] = [],
  elapsed: (clock: ManualClock) => number = (clock) => clock.elapsed(),
) {
  const manual = manualClock(GENESIS_TIME * 1000);
  const clock: ManualClock = { ...manual, elapsed: () => elapsed(manual) };
  const client = scriptedEngine(rollup);
  const engine = new EngineController(rollup, client, () => {});
  await engine.reset({ unsafe: genesis, pendingSafe: genesis, safe: genesis, finalized: genesis });
  const requests: number[] = [];
  const resets: string[] = [];
  const warnings: unknown[] = [];
  const part = new ClSync({
    rollup,
    engine,
    client,
    clock,
    log: { ...silent, warn: (_, data) => warnings.push(data?.['error']) },
    wake: () => loop.wake(),
    async request(number) {
      requests.push(number);
      return peer.find(({ executionPayload }) => executionPayload.blockNumber === number) ?? null;
    },
    requestReset: (reason) => resets.push(reason),
  });
  const loop = new EventLoop([part], clock, silent, stopping.signal);
  const receive = async (...blocks: ExecutionPayloadEnvelope[]) => {
    for (const block of blocks) part.add(block);
    for (let round = 0; round < 8; round++) await settle();
    return engine.heads().unsafe.hash;
  };
  return { engine, client, part, requests, resets, warnings, receive, clock };
}

describe('following unsafe blocks', () => {
  it('inserts blocks in order of height, whatever their order of arrival', async () => {
    const blocks = await chain(6);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(blocks, { minLength: 6 }), async (shuffled) => {
        const { receive } = await follow();
        expect(await receive(...shuffled)).toBe(hashOf(blocks[5]));
      }),
      { numRuns: 15 },
    );
  });

  it('asks peers for what is missing, from the known block downwards', async () => {
    const blocks = await chain(6);
    const { receive, requests } = await follow(blocks);
    expect(await receive(blocks[4]!)).toBe(hashOf(blocks[4]));
    expect(requests).toEqual([4, 3, 2, 1]);
  });

  it('accepts only the block that a signed one names as its parent', async () => {
    const [blocks, forged] = [await chain(3), await chain(3, 1)];
    const { receive, requests, clock, part } = await follow(forged);
    expect(await receive(blocks[2]!)).toBe(genesis.hash);
    expect(requests).toEqual([2]);
    clock.moveTo(GENESIS_TIME * 1000 + 5000);
    part.add(blocks[2]!);
    await settle();
    await settle();
    expect(requests.length).toBeGreaterThan(1);
    expect(await receive(blocks[0]!, blocks[1]!)).toBe(hashOf(blocks[2]));
  });

  it('asks again while the clock stands, as a peer may have connected', async () => {
    const blocks = await chain(3);
    const connected: ExecutionPayloadEnvelope[] = [];
    const { receive, engine } = await follow(connected, () => performance.now());
    expect(await receive(blocks[2]!)).toBe(genesis.hash);
    connected.push(...blocks);
    await expect.poll(() => engine.heads().unsafe.hash).toBe(hashOf(blocks[2]));
  });

  it('logs each cause for which a block must wait, and a cause that stays once', async () => {
    const [block] = await chain(1);
    const { receive, client, warnings, engine } = await follow([], () => performance.now());
    const [closed, first, second] = ['the connection closed', 'a fault', 'a fault'].map(
      (message) => new EngineError('temporary', message),
    );
    const failures = [closed, first, second];
    const { newPayload } = client;
    client.newPayload = async (envelope) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      await newPayload(envelope);
    };
    await receive(block!);
    await expect.poll(() => engine.heads().unsafe.hash).toBe(hashOf(block));
    expect(warnings).toEqual([closed, first]);
  });

  it('requests no blocks of a wide gap', async () => {
    const blocks = await chain(1);
    const far = { ...blocks[0]!, executionPayload: { ...blocks[0]!.executionPayload, blockNumber: 5000 } };
    const { receive, requests } = await follow(blocks);
    await receive(far);
    expect(requests).toEqual([]);
  });

  it('drops an invalid block with all that builds upon it, and does not ask for it again', async () => {
    const blocks = await chain(5);
    const { receive, client, requests, part } = await follow(blocks);
    client.invalid.add(hashOf(blocks[2])!);
    expect(await receive(...blocks.slice(0, 4))).toBe(hashOf(blocks[1]));
    expect(part.lowestQueuedUnsafeBlock()).toBeUndefined();
    expect(await receive(blocks[4]!)).toBe(hashOf(blocks[1]));
    expect(requests).toEqual([]);
  });

  it('follows the sequencer to another branch, and does not go back to blocks that it has', async () => {
    const blocks = await chain(4);
    const branch = await chain(3, 1, refOf(blocks[1]!), blocks);
    const { receive } = await follow();
    await receive(...blocks);
    expect(await receive(...branch)).toBe(hashOf(branch[2]));
    expect(await receive(blocks[0]!, branch[0]!)).toBe(hashOf(branch[2]));
  });

  it('refuses a branch that does not contain the safe head', async () => {
    const [blocks, other] = [await chain(3), await chain(6, 1)];
    const { receive, engine, part, requests } = await follow(other);
    await receive(...blocks);
    await engine.promoteSafe(refOf(blocks[2]!), true);
    expect(await receive(other[5]!)).toBe(hashOf(blocks[2]));
    expect(part.lowestQueuedUnsafeBlock()).toBeUndefined();
    const before = requests.length;
    await receive(other[5]!);
    expect(requests.length - before).toBeLessThanOrEqual(0);
  });
});

describe('the queue of unsafe blocks', () => {
  const block = (number: number, hash: number) =>
    ({ executionPayload: { blockNumber: number, blockHash: `0x${hash}` } }) as unknown as ExecutionPayloadEnvelope;

  it('returns the lowest block first, stores none twice and drops the farthest', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 40 }), (numbers) => {
        const queue = payloadsQueue(10);
        for (const number of numbers) queue.add(block(number, number));
        const expected = [...new Set(numbers)].sort((a, b) => a - b);
        expect(queue.length).toBe(Math.min(10, expected.length));
        expect(queue.peek()?.executionPayload.blockNumber).toBe(expected[0]);
        queue.dropThrough(15);
        expect(queue.peek()?.executionPayload.blockNumber ?? 16).toBeGreaterThan(15);
      }),
    );
  });
});
