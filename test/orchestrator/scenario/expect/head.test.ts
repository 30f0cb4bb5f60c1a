import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { head } from '../../../../src/orchestrator/scenario/expect/head.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { fixturePlan } from '../../supervisor/fixture-plan.ts';
import { scriptedClient, scriptedRun } from '../scripted-run.ts';

/** Heads of the second of two nodes; a missing one is that of a client without such a block. */
const heads: { latest?: number; safe?: number; finalized?: number; isDown?: boolean } = {};
let clients: readonly Server[] = [];
const client = (of: () => typeof heads) =>
  scriptedClient((_, [tag]) => {
    const number = of()[tag as 'latest' | 'safe' | 'finalized'];
    if (of().isDown) return undefined;
    return { result: number === undefined ? null : { number: `0x${number.toString(16)}`, hash: '0xaa' } };
  });
beforeAll(async () => {
  clients = [await client(() => ({ latest: 9, safe: 6, finalized: 3 })), await client(() => heads)];
});
beforeEach(() => {
  for (const key of Object.keys(heads)) Reflect.deleteProperty(heads, key);
  Object.assign(heads, { latest: 9, safe: 6, finalized: 3 });
});
afterAll(() => {
  for (const each of clients) {
    each.closeAllConnections();
    each.close();
  }
});

const run = () => {
  const ports = clients.map((each) => ({ port: (each.address() as AddressInfo).port }));
  return { ...scriptedRun(), plan: () => fixturePlan('/home', 'one', ports) };
};
/** Begins, and checks after the second node has other heads. */
async function look(value: Record<string, Json>, after: typeof heads = {}) {
  const check = await head.begin(value, run());
  Object.assign(heads, after);
  return check();
}
const both = (number: number, other = number) => ({ 'main/node-0': number, 'main/node-1': other });

describe('the expectation of a head', () => {
  it.each<[Record<string, Json>, object]>([
    [{ at: 9 }, both(9)],
    [{ kind: 'unsafe', at: 9 }, both(9)],
    [{ kind: 'safe', at: 6 }, both(6)],
    [{ kind: 'finalized', at: 3 }, both(3)],
    [{ kind: 'safe', node: 'node-1', above: 5 }, { 'main/node-1': 6 }],
    [{ node: 'main/node-0', below: 10 }, { 'main/node-0': 9 }],
  ])('holds for %j, with the heads of the nodes', async (value, found) => {
    expect(await look(value)).toEqual({ holds: true, evidence: { heads: found } });
  });

  it('names each node of which it does not hold', async () => {
    expect(await look({ at: 7 }, { latest: 8 })).toEqual({
      ...{ holds: false, evidence: { heads: both(9, 8) } },
      because: 'the unsafe head of main/node-0 is block 9, not 7; the unsafe head of main/node-1 is block 8, not 7',
    });
    expect(await look({ at: 9 }, { latest: 8 })).toMatchObject({
      because: 'the unsafe head of main/node-1 is block 8, not 9',
    });
  });

  it('counts a node without a safe block as one before the first', async () => {
    Reflect.deleteProperty(heads, 'safe');
    expect(await look({ kind: 'safe', node: 'node-1', below: 0 })).toMatchObject({ holds: true });
    expect(await look({ kind: 'safe', node: 'node-1', at: 0 })).toMatchObject({
      because: 'the safe head of main/node-1 is block -1, not 0',
    });
    expect(await look({ kind: 'safe', node: 'node-1', advances: 2 }, { safe: 1 })).toMatchObject({ holds: true });
    Reflect.deleteProperty(heads, 'safe');
    expect(await look({ kind: 'safe', node: 'node-1', advances: 2 }, { safe: 0 })).toMatchObject({ holds: false });
  });

  it('does not hold of a node that does not answer, unless its head stands', async () => {
    const of = { node: 'node-1' };
    expect(await look({ ...of, at: 9 }, { isDown: true })).toMatchObject({
      ...{ holds: false, because: 'main/node-1 does not answer' },
    });
    expect(await look({ ...of, stands: true, for: '1s' }, { isDown: true })).toMatchObject({ holds: true });
  });

  it('counts from before the first block for a node that did not answer at the beginning', async () => {
    heads.isDown = true;
    expect(await look({ node: 'node-1', advances: 10 }, { isDown: false })).toMatchObject({ holds: true });
    heads.isDown = true;
    expect(await look({ node: 'node-1', advances: 11 }, { isDown: false })).toMatchObject({
      because: 'the unsafe head of main/node-1 went from block -1 to 9, not by 11',
    });
  });

  it('lets time pass for a head that stands, five seconds by default', async () => {
    const passed = async (value: Record<string, Json>) => {
      let slots = 0;
      const each = scriptedRun(undefined, (count) => {
        slots = count;
      });
      await head.begin(value, { ...run(), time: each.time });
      return slots;
    };
    expect(await passed({ stands: true })).toBe(5);
    expect(await passed({ stands: true, for: '2s' })).toBe(2);
    expect(await passed({ at: 9 })).toBe(0);
  });

  it.each<[Record<string, Json>, boolean]>([
    [{ advances: 1 }, true],
    [{ stands: true }, true],
    [{ at: 0 }, true],
    [{ above: 0 }, true],
    [{ below: 0 }, true],
    [{}, false],
    [{ node: 'a', kind: 'safe' }, false],
    [{ for: '1s' }, false],
    [{ stands: false }, false],
    [{ advances: 0 }, false],
    [{ advances: 100_001 }, false],
    [{ kind: 'latest', at: 1 }, false],
  ])('needs something to compare, %j: %s', (value, isTaken) => {
    expect(head.schema.safeParse(value).success).toBe(isTaken);
  });
});
