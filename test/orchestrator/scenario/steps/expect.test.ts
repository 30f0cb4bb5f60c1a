import type { Server } from 'node:http';
import { afterAll, expect as assert, beforeAll, beforeEach, describe, it } from 'vitest';
import { expect } from '../../../../src/orchestrator/scenario/steps/expect.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { scriptedClient, scriptedRun } from '../scripted-run.ts';

const OF = `0x${'11'.repeat(20)}`;

/** What the client of every node answers. Each slot may change it. */
const state = { balance: 5, head: 7 };
let client: Server;
beforeAll(async () => {
  client = await scriptedClient((method) => {
    const block = { number: `0x${state.head.toString(16)}`, hash: '0xaa', timestamp: '0x1' };
    return { result: method === 'eth_getBalance' ? `0x${state.balance.toString(16)}` : block };
  });
});
afterAll(() => {
  client.closeAllConnections();
  client.close();
});
beforeEach(() => {
  Object.assign(state, { balance: 5, head: 7 });
  slots = 0;
});

let slots = 0;

/** Runs the step on a network of slots of one second; `slot` is what changes with each. */
function run(value: Json, slot: () => void = () => undefined) {
  const passed = (count: number) => {
    slots = count;
    slot();
  };
  return expect.run(value, scriptedRun(client, passed));
}

describe('expect with several conditions', () => {
  const holds = { balance: { of: OF, is: '5 wei' }, head: { above: 6 } };

  it('passes when all hold, with what each found', async () => {
    assert(await run(holds)).toEqual({ balance: '5', heads: { 'main/node-0': 7 } });
  });

  it.each<[string, Record<string, Json>, string]>([
    ['first', { ...holds, balance: { of: OF, is: '6 wei' } }, `the balance of ${OF} is 5 wei, not 6 wei`],
    ['last', { ...holds, head: { above: 7 } }, 'the unsafe head of main/node-0 is block 7, not above 7'],
  ])('fails when the %s alone is broken, with the values of both', async (_, value, message) => {
    await assert(run(value)).rejects.toMatchObject({
      code: 'expectation',
      message,
      data: { balance: '5', heads: { 'main/node-0': 7 } },
    });
  });

  it('names each that is broken', async () => {
    await assert(run({ balance: { of: OF, below: '5 wei' }, head: { below: 7 } })).rejects.toThrow(
      /is 5 wei, not below 5 wei; .* is block 7, not below 7$/,
    );
  });

  it('waits until all hold at one time', async () => {
    // The balance holds in the first slot only, the head from the third on; both in the fifth.
    const slot = () => Object.assign(state, { balance: slots === 5 ? 5 : 4, head: 7 + slots });
    assert(await run({ ...holds, head: { above: 9 }, within: '8s' }, slot)).toMatchObject({ balance: '5' });
    assert(slots).toBe(5);
  });

  it('fails as late when its time is over, with what the last check found', async () => {
    await assert(run({ ...holds, head: { above: 9 }, within: '2s' })).rejects.toMatchObject({
      code: 'late',
      message: 'not within 2 s: the unsafe head of main/node-0 is block 7, not above 9',
    });
    assert(slots).toBe(2);
  });
});

describe('the bounds of a head', () => {
  it.each<[Record<string, Json>, string | undefined]>([
    [{ at: 7 }, undefined],
    [{ at: 6 }, 'is block 7, not 6'],
    [{ at: 8 }, 'is block 7, not 8'],
    [{ above: 6 }, undefined],
    [{ above: 7 }, 'is block 7, not above 7'],
    [{ below: 8 }, undefined],
    [{ below: 7 }, 'is block 7, not below 7'],
    [{ above: 6, below: 7 }, 'is block 7, not below 7'],
    [{ advances: 1 }, 'went from block 7 to 7, not by 1'],
    [{ at: 0 }, 'is block 7, not 0'],
  ])('%j', async (head, problem) => {
    const outcome = run({ head });
    if (problem === undefined) assert(await outcome).toEqual({ heads: { 'main/node-0': 7 } });
    else await assert(outcome).rejects.toThrow(`the unsafe head of main/node-0 ${problem}`);
  });

  it.each([
    [2, 3, 'went from block 7 to 9, not by 3'],
    [2, 2, undefined],
    [3, 2, undefined],
  ])('advances by %d of %d blocks', async (moved, wanted, problem) => {
    const slot = () => Object.assign(state, { head: 7 + moved });
    const outcome = run({ head: { advances: wanted }, within: '1s' }, slot);
    if (problem === undefined) assert(await outcome).toEqual({ heads: { 'main/node-0': 7 + moved } });
    else await assert(outcome).rejects.toThrow(problem);
  });

  it('stands when no slot moves it, and is named when one does', async () => {
    assert(await run({ head: { stands: true, for: '3s' } })).toEqual({ heads: { 'main/node-0': 7 } });
    assert(slots).toBe(3);
    const slot = () => Object.assign(state, { head: slots === 3 ? 8 : state.head });
    await assert(run({ head: { stands: true, for: '3s' } }, slot)).rejects.toThrow('moved from block 7 to 8');
  });
});
