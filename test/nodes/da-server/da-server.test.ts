import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { daPut } from '../../../src/nodes/da/put.ts';
import { daStorage } from '../../../src/nodes/da/storage.ts';
import { main, startDaServer } from '../../../src/nodes/da-server/main.ts';
import { DA_SERVER_OPTIONS } from '../../../src/nodes/da-server/options.ts';
import { decodeCommitment, keccakCommitment } from '../../../src/protocol/derivation/da-commitment.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { parseOptions } from '../../../src/system/program/options.ts';
import type { Running } from '../../../src/system/program/program.ts';
import { silent } from '../gossip/blocks.ts';

const DATA = Uint8Array.of(7, 0, 255, 1);

describe('the DA server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-da-server-'));
  const running: Running[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start() {
    const usage = { name: 'da-server', version: 'test', summary: '', envPrefixes: [] };
    const { values } = parseOptions(usage, DA_SERVER_OPTIONS, [], {});
    const server = await startDaServer({ ...values, rpcPort: 0 }, folder, silent);
    running.push(server);
    return server;
  }

  async function open() {
    const url = `http://127.0.0.1:${(await start()).port}`;
    return {
      put: daPut({ url, timeoutMs: 0, kind: 'generic' }),
      putKeccak: daPut({ url, timeoutMs: 0, kind: 'keccak' }),
      get: daStorage({ url, timeoutMs: 0, verify: true }),
      async answer(answers: string) {
        const rpc = httpClient({ url });
        await rpc.call('devnet_answer', [answers], { timeoutMs: 30_000 });
        rpc.close();
      },
    };
  }

  it('answers data by its generic commitment, also after a restart', async () => {
    const { put, get } = await open();
    const commitment = await put(DATA);
    expect(commitment.kind).toBe('generic');
    expect(Uint8Array.from((await get(commitment))!)).toEqual(DATA);
    await running.pop()!.stop();
    expect(Uint8Array.from((await (await open()).get(commitment))!)).toEqual(DATA);
  });

  it('keeps data under a keccak commitment, and none that was never put', async () => {
    const { putKeccak, get } = await open();
    expect(await putKeccak(DATA)).toEqual(keccakCommitment(DATA));
    expect(Uint8Array.from((await get(keccakCommitment(DATA)))!)).toEqual(DATA);
    expect(await get(decodeCommitment(Uint8Array.of(1, 9)))).toBeNull();
  });

  it('withholds data, changes it and makes commitments of another kind when it is told to', async () => {
    const { put, get, answer } = await open();
    const commitment = await put(DATA);
    await answer('withhold');
    expect(await get(commitment)).toBeNull();
    await answer('wrong-data');
    expect(Uint8Array.from((await get(commitment))!)).toEqual(DATA.map((byte) => byte ^ 0xff));
    await answer('wrong-commitment');
    expect((await put(DATA)).kind).toBe('keccak');
    await answer('honest');
    expect(Uint8Array.from((await get(commitment))!)).toEqual(DATA);
  });

  it('refuses a commitment to other data, and a path that names a file', async () => {
    const { port } = await start();
    const other = keccakCommitment(Uint8Array.of(1)).encoded;
    const url = `http://127.0.0.1:${port}`;
    const status = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).status;
    expect(await status(`/put/${other}`, { method: 'POST', body: DATA })).toBe(400);
    expect(await status('/put', { method: 'POST', body: '' })).toBe(400);
    expect(await status('/get/..%2f..')).toBe(400);
  });

  it('ends with exit code 2 when it has no folder', async () => {
    expect(await main([], {})).toBe(2);
  });
});
