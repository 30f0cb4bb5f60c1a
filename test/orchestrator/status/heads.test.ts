import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { headsAt, NO_HEADS, readHeads } from '../../../src/orchestrator/status/heads.ts';
import { type MethodTable, method } from '../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../src/rpc/server/server.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';

const blocks: Record<string, unknown> = {};
const METHODS: MethodTable<typeof blocks> = {
  eth_getBlockByNumber: method('', z.tuple([z.string(), z.literal(false)]), (context: typeof blocks, [tag]) => {
    if (context[tag] === undefined) throw new Error(`no block ${tag}`);
    return context[tag];
  }),
};

let server: RunningServer;
beforeAll(async () => {
  server = await serve({ host: '127.0.0.1', port: 0, http: true, websocket: false, methods: METHODS, context: blocks });
});
afterAll(() => server.close());

const url = () => `http://127.0.0.1:${server.port}`;
const block = (number: number) => ({ number: `0x${number.toString(16)}`, hash: `0x0${number}`, timestamp: '0x20' });

it('the heads of a node are its blocks by tag, those that it has', async () => {
  Object.assign(blocks, { latest: block(9), safe: block(7), finalized: block(5) });
  const head = (number: number) => ({ number, hash: `0x0${number}`, time: 32 });
  expect(await headsAt(url())).toEqual({ unsafe: head(9), safe: head(7), finalized: head(5) });
  blocks['safe'] = undefined;
  blocks['finalized'] = null;
  expect(await headsAt(url())).toEqual({ unsafe: head(9), safe: null, finalized: null });
});

it.each<[answer: unknown, head: unknown]>([
  [
    { number: '0x9', hash: '0x09' },
    { number: 9, hash: '0x09', time: 0 },
  ],
  [{ number: 9, hash: '0x09' }, null],
  [{ number: '0x9', hash: 9 }, null],
  ['0x9', null],
])('the answer %j is the head %j', async (answer, head) => {
  blocks['latest'] = answer;
  expect((await headsAt(url())).unsafe).toEqual(head);
});

it('heads are read of each node, and are absent with the reason if it does not answer', async () => {
  blocks['latest'] = block(9);
  const plan = fixturePlan('/home', 'one', [{ port: server.port }, { port: 1 }]);
  const heads = await readHeads(plan);
  expect([...heads.keys()]).toEqual(['main/node-0', 'main/node-1']);
  expect(heads.get('main/node-0')?.unsafe?.number).toBe(9);
  expect(heads.get('main/node-0')).not.toHaveProperty('unanswered');
  expect(heads.get('main/node-1')).toEqual({ ...NO_HEADS, unanswered: expect.stringContaining('127.0.0.1:1') });
});
