import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { genesisTimeOfBeacon, genesisTimeOfVolume } from '../../../src/orchestrator/entry/genesis-time.ts';
import { checkHealth, writeHealth } from '../../../src/orchestrator/entry/ready.ts';
import { claimVolume } from '../../../src/orchestrator/entry/volume.ts';
import { memoryLog } from '../../nodes/batcher/helpers.ts';
import { loadText } from '../export/exported.ts';
import { planOf } from '../plan/planned.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'volume-'));
const OWNER = { devnet: 'net', unit: 'main-a-el', genesisTime: 1_900_000_000 };

it('the genesis time is that of the first start on an empty volume, whenever the next one is', async () => {
  const path = join(folder(), 'genesis-time');
  const { spec } = await loadText('{ l1: { blockTime: 4 }, chains: { main: { blockTime: 4 } } }');
  expect(genesisTimeOfVolume(path, spec, 1_900_000_000.7)).toBe(1_899_999_996);
  expect(genesisTimeOfVolume(path, spec, 1_999_999_999)).toBe(1_899_999_996);
  writeFileSync(path, 'yesterday');
  expect(() => genesisTimeOfVolume(path, spec, 1_900_000_000)).toThrow('holds no genesis time: "yesterday"');
});

it.each<[string, Partial<typeof OWNER>]>([
  ['another devnet', { devnet: 'other' }],
  ['another unit', { unit: 'main-b-el' }],
  ['a network with another genesis time', { genesisTime: 1 }],
])('a volume refuses %s, names both, and keeps what it holds', (_, change) => {
  const path = join(folder(), 'volume.json');
  claimVolume(path, OWNER);
  claimVolume(path, OWNER);
  const text = readFileSync(path, 'utf8');
  const other = { ...OWNER, ...change };
  expect(() => claimVolume(path, other)).toThrow(`expected those of ${JSON.stringify(other)}`);
  expect(() => claimVolume(path, other)).toThrow(JSON.stringify(OWNER));
  expect(readFileSync(path, 'utf8')).toBe(text);
});

/** A server that answers its first requests as given, and the last answer to each later one. */
async function serve(...answers: readonly (readonly [status: number, body: string])[]) {
  let requests = 0;
  const server = createServer((_, response) => {
    const [status, body] = answers[Math.min(requests++, answers.length - 1)] ?? [500, ''];
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    [Symbol.dispose]: () => void server.close(),
  };
}

it('the genesis time of another unit is that of the beacon node, once it answers', async () => {
  using beacon = await serve([503, ''], [200, 'starting'], [200, '{"data":{"genesis_time":"1900000000"}}']);
  const { log } = memoryLog([]);
  expect(await genesisTimeOfBeacon(beacon.url, new AbortController().signal, log)).toBe(1_900_000_000);
  expect(beacon.requests()).toBe(3);
  await expect(genesisTimeOfBeacon(beacon.url, AbortSignal.abort(new Error('ended')), log)).resolves.toBe(
    1_900_000_000,
  );
  using silent = await serve([503, '']);
  await expect(genesisTimeOfBeacon(silent.url, AbortSignal.abort(new Error('ended')), log)).rejects.toThrow('ended');
});

it('the health command fails before the unit is planned, and with the first probe that does not hold', async () => {
  const data = folder();
  await expect(checkHealth(data)).rejects.toThrow('it waits for the genesis time of L1');
  using server = await serve([200, '{"ok":true}'], [200, '{"ok":false}']);
  const probe = { kind: 'http', url: server.url, status: 200, expect: { ok: true }, description: 'is well' } as const;
  const { tasks } = planOf('{}');
  writeHealth(data, [{ ...tasks[0]!, ready: [probe] }]);
  await checkHealth(data);
  await expect(checkHealth(data)).rejects.toThrow('is well');
});

it('the health command passes without the probes that are left out', async () => {
  const data = folder();
  using server = await serve([200, '{"jsonrpc":"2.0","id":1,"result":{"connected":0}}']);
  const probe = { kind: 'peers', url: server.url, atLeast: 1, description: 'is connected' } as const;
  const { tasks } = planOf('{}');
  writeHealth(data, [{ ...tasks[0]!, ready: [probe] }]);
  await expect(checkHealth(data)).rejects.toThrow('is connected');
  await checkHealth(data, ['peers']);
});
