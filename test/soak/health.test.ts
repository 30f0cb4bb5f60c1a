import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Home, type Status } from '../e2e/devnet.ts';
import { busy } from './busy.ts';

/** Minutes to watch, and busy threads per processor. */
const MINUTES = Number(process.env['MINUTES'] ?? 30);
const LOAD = Number(process.env['LOAD'] ?? 2);

const SPEC = {
  version: 1,
  name: 'health',
  ports: 'auto',
  l1: { blockTime: 2 },
  chains: {
    calldata: { chainId: 901, blockTime: 2 },
    blobs: { chainId: 902, blockTime: 1, batcher: { da: 'blobs' } },
  },
};

it(
  `nothing is called late in ${MINUTES} minutes while all processors are busy`,
  async () => {
    await using home = new Home();
    const up = home.start('up', home.spec('health', SPEC), '--ready-budget', '120s');
    let output = '';
    up.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    await expect.poll(() => output, { timeout: 150_000, interval: 200 }).toContain('health is ready');
    const before = output.length;
    using _load = busy(LOAD * availableParallelism());
    const end = performance.now() + MINUTES * 60_000;
    while (performance.now() < end) {
      await sleep(Math.min(10_000, Math.max(0, end - performance.now())));
      expect(output.slice(before)).not.toMatch(/degraded|unhealthy/);
    }
    const status = await home.json<Status & { readonly problems: readonly unknown[] }>('status');
    expect(status).toMatchObject({ phase: 'ready', problems: [] });
    for (const { nodes } of status.chains)
      for (const { heads } of nodes) expect(heads.finalized?.number).toBeGreaterThan(0);
  },
  (MINUTES + 5) * 60_000,
);
