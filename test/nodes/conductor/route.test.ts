import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lead } from '../../../src/nodes/conductor/lead.ts';
import { CONDUCTOR_METHODS } from '../../../src/nodes/conductor/methods.ts';
import { conductorRoute } from '../../../src/nodes/conductor/route.ts';
import { keccak256 } from '../../../src/protocol/hash.ts';
import { type RunningServer, serve } from '../../../src/rpc/server/server.ts';
import { after, GENESIS } from './support/blocks.ts';
import { TestSet } from './support/test-set.ts';

const RAW = '0x02aa';
const HASH = keccak256(Buffer.from('02aa', 'hex'));
const WAIT = { timeout: 100_000, interval: 20 };

describe('the RPC of the conductor', { timeout: 240_000 }, () => {
  let folder = '';
  let set: TestSet;
  let server: RunningServer;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'devnet-conductor-route-'));
    set = await TestSet.open(new Lead(folder));
    server = await serve({
      ...{ host: '127.0.0.1', port: 0, http: true, websocket: false },
      methods: CONDUCTOR_METHODS,
      context: { conductor: set.conductor, member: undefined, version: 'test' },
      route: conductorRoute(set.conductor, 'test'),
    });
    await set.look();
  });
  afterEach(async () => {
    await server.close();
    await set[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function post(path: string, method: string, ...params: unknown[]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
    const url = `http://127.0.0.1:${server.port}${path}`;
    const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const text = await response.text();
    return { status: response.status, answer: response.status === 200 ? JSON.parse(text) : text };
  }

  it('passes requests on to the leader, whichever that is', async () => {
    expect(await post('/el', 'eth_blockNumber')).toEqual({ status: 503, answer: 'no member leads\n' });
    await set.conductor.transfer('s1');
    set.publish('s1', after(GENESIS, '1'));
    set.member('s2').has();
    expect(await post('/el', 'eth_blockNumber')).toMatchObject({ answer: { id: 7, result: '0x1' } });
    expect(await post('/cl', 'admin_sequencerActive')).toMatchObject({ answer: { result: true } });
    await set.conductor.transfer('s2');
    expect(set.member('s2').calls).toContain('start 1');
    expect(await post('/cl', 'admin_sequencerActive')).toMatchObject({ answer: { result: true } });
    await set.member('s2').close();
    expect(await post('/el', 'eth_blockNumber')).toMatchObject({ status: 503 });
  });

  it('answers one member by its path', async () => {
    await set.conductor.transfer('s1');
    expect(await post('/member/s1', 'conductor_leader')).toMatchObject({ answer: { result: true } });
    expect(await post('/member/s2', 'conductor_leader')).toMatchObject({ answer: { result: false } });
    expect(await post('/member/s9', 'conductor_leader')).toEqual({ status: 404, answer: 'no member s9\n' });
    const refusal = { error: { message: 'a member has the path /member/NAME' } };
    expect(await post('/', 'conductor_leader')).toMatchObject({ answer: refusal });
  });

  it("answers a leader's own transaction with its hash, and passes on those of others", async () => {
    await set.conductor.transfer('s1');
    expect(await post('/el/s1', 'eth_sendRawTransaction', RAW)).toMatchObject({ answer: { id: 7, result: HASH } });
    expect(set.member('s1').pool).toEqual([]);
    await post('/el/s2', 'eth_sendRawTransaction', RAW);
    expect(set.member('s1').pool).toEqual([RAW]);
  });

  it('sends transactions that no committed block has to the next leader', async () => {
    await set.conductor.transfer('s1');
    const [included, refused] = ['0x02bb', '0x02cc'] as const;
    for (const raw of [RAW, included, refused]) await post('/el/s1', 'eth_sendRawTransaction', raw);
    const block = after(GENESIS, '1');
    set.publish('s1', block, [included]);
    set.member('s2').refusedTransactions.add(refused);
    await set.conductor.transfer('s2');
    await expect.poll(() => set.member('s2').pool, WAIT).toEqual([RAW]);
    await expect.poll(() => set.conductor.pending.count, WAIT).toBe(1);
  });
});
