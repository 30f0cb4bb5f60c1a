import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Problem } from '../../src/orchestrator/observe/health/problem.ts';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import type { State } from '../../src/orchestrator/run/state.ts';
import { Home, rpc, type Status } from './devnet.ts';

/** The network; its verifier reads blobs at another beacon. */
const spec = (beacon: string) => ({
  version: 1,
  name: 'ill',
  ports: 'auto',
  l1: { blockTime: 1 },
  chains: {
    main: {
      blockTime: 1,
      onExit: 'ignore',
      proposer: false,
      nodes: {
        sequencer: { role: 'sequencer', el: 'execution-rust' },
        verifier: { el: 'execution-go', cl: { args: { 'l1.beacon': beacon } } },
      },
    },
  },
});

/** A beacon that answers like another one and has lost all blobs. */
async function withoutBlobs(original: () => string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async ({ url = '' }, response) => {
    if (url.includes('blob')) return void response.writeHead(500).end('{"code":500,"message":"the blobs are lost"}');
    const answer = await fetch(`${original()}${url}`).catch(() => undefined);
    response.writeHead(answer?.status ?? 503, { 'content-type': 'application/json' }).end(await answer?.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Health = Status & { readonly problems: readonly Problem[] };

it('whatever stands still is told with its process and why, by status, wait, check and the attached up, and ready comes back', async () => {
  await using home = new Home();
  const folder = join(home.env['DEVNET_HOME']!, 'ill');
  const planned = () => JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as Plan;
  await using beacon = await withoutBlobs(() => planned().network.l1.beacon);
  const up = home.start('up', home.spec('ill', spec(beacon.url)), '--ready-budget', '90s');
  let said = '';
  up.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 120_000, interval: 100 }).toContain('ill is ready');
  const plan = planned();
  const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as State;
  const chain = plan.network.chains[0]!;
  const l1 = plan.network.l1.direct.rpc;
  const batcher = chain.batcher!.rpc!;
  const signal = (task: string, name: NodeJS.Signals) => process.kill(state.tasks[task]!.process!.pid, name);
  const status = () => home.json<Health>('status', 'ill');

  /** Resolves with the problems when the first one is as expected and the phase with it. */
  async function ill(first: Partial<Record<keyof Problem, unknown>>): Promise<readonly Problem[]> {
    const matching = { phase: 'degraded', problems: expect.arrayContaining([expect.objectContaining(first)]) };
    await expect.poll(status, { timeout: 60_000, interval: 200 }).toMatchObject(matching);
    return (await status()).problems;
  }
  const well = () =>
    expect.poll(status, { timeout: 60_000, interval: 200 }).toMatchObject({ phase: 'ready', problems: [] });

  await rpc(batcher, 'admin_stopBatcher');
  await ill({
    subject: 'main/batcher',
    what: expect.stringContaining('brings no transaction'),
    because: 'Batcher stopped',
  });
  const waited = await home.devnet('wait', 'ready', '--timeout', '1s');
  expect(waited).toMatchObject({ code: 3, stderr: expect.stringContaining('main/batcher: brings no transaction') });
  const checked = await home.devnet('check');
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining('main/batcher: brings no transaction') });
  expect(checked.stderr).toContain('all nodes agree');
  expect((await home.devnet('status')).stdout).toMatch(/PROBLEM {2}main\/batcher: [^\n]+, since \d\d:\d\d:\d\d UTC/);
  expect(said).toMatch(/unhealthy main\/batcher: brings no transaction[^\n]*Batcher stopped/);
  expect(said).toMatch(/^degraded$/m);
  await rpc(batcher, 'admin_startBatcher');
  await well();
  expect((await home.devnet('wait', 'ready', '--timeout', '1s')).code).toBe(0);

  const { address } = chain.accounts.find(({ role }) => role === 'batcher')!;
  await rpc(l1, 'anvil_setBalance', address, '0x0');
  await ill({
    subject: 'main/batcher',
    because: expect.stringMatching(/^its account 0x\w{40} has \d+ wei left on L1$/),
  });
  await rpc(l1, 'anvil_setBalance', address, '0x3635c9adc5dea00000');
  await well();

  signal('main/verifier/el', 'SIGSTOP');
  await ill({
    subject: 'main/verifier/el',
    what: 'does not answer',
    because: expect.stringContaining('stopped by a signal'),
  });
  signal('main/verifier/el', 'SIGCONT');
  await well();

  signal('l1-beacon', 'SIGSTOP');
  await ill({ subject: 'l1', what: expect.stringContaining('makes no block'), because: 'l1-beacon: does not answer' });
  expect((await status()).problems[0]).toMatchObject({
    subject: 'l1-beacon',
    because: expect.stringContaining('kill -CONT'),
  });
  signal('l1-beacon', 'SIGCONT');
  await well();

  await rpc(batcher, 'admin_setDataAvailabilityType', 'blobs');
  await ill({ subject: 'main/verifier/cl', what: expect.stringContaining('derivation stands at L1 block') });
}, 400_000);
