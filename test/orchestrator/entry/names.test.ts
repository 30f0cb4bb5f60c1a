import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkHealth } from '../../../src/orchestrator/entry/ready.ts';

const data = mkdtempSync(join(tmpdir(), 'health-'));
const hostsFile = join(data, 'hosts');
writeFileSync(hostsFile, '127.0.0.1 localhost\n127.0.0.1 main-sequencer-el\n');

/** A DNS server that answers to nothing. */
const silent = createSocket('udp4');
beforeAll(async () => {
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(() => {
  silent.close();
});

/** Asks for the health of a unit that has a process at a host. No process listens there. */
async function healthAt(host: string): Promise<void> {
  const probe = { kind: 'rpc', url: `http://${host}:1`, method: 'x', params: [], expect: {}, description: 'answers' };
  writeFileSync(join(data, 'health.json'), JSON.stringify([probe]));
  await checkHealth(data, [], { hostsFile, servers: [`127.0.0.1:${silent.address().port}`] });
}

it('a health check names the host for which no DNS server answers, and asks no thread for it', async () => {
  await expect(healthAt('main-verifier-el')).rejects.toThrow(
    'not ready: no DNS server answers for the name main-verifier-el',
  );
  expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
});

it.each(['127.0.0.1', '[::1]', 'localhost', 'main-sequencer-el'])(
  'a health check needs no DNS for %s',
  async (host) => {
    await expect(healthAt(host)).rejects.toThrow('not ready: answers: ');
  },
);
