import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home, root } from '../e2e/devnet.ts';
import { freePort } from '../system/free-port.ts';

const metered = { client: 'rollup-node', args: { 'metrics.enabled': true } };

let home: Home;
let prometheus: ChildProcess;
let url: string;

/** Serves the metrics of the network as a process and returns the port that it prints. */
async function serve(): Promise<string> {
  const server = home.start('metrics', '--serve', '--port', '0');
  for await (const line of createInterface({ input: server.stderr! })) {
    const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error('devnet metrics --serve ended');
}

beforeAll(async () => {
  home = new Home();
  const nodes = {
    sequencer: { role: 'sequencer', el: 'execution-rust', cl: metered },
    verifier: { el: 'execution-go', cl: metered },
  };
  await home.up(home.spec('metered', { name: 'metered', ports: 'auto', chains: { main: { blockTime: 1, nodes } } }));
  const page = readFileSync(join(root, 'docs/how-to/metrics.md'), 'utf8');
  const config = /```yaml\n(global:[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const path = join(home.folder, 'prometheus.yml');
  writeFileSync(path, config.replaceAll('9501', await serve()).replaceAll(/\d+s/g, '1s'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}/api/v1/query?query=`;
  const options = [`--config.file=${path}`, `--storage.tsdb.path=${home.folder}/tsdb`];
  prometheus = spawn('prometheus', [...options, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
  prometheus.on('error', (error) => {
    throw new Error('this test runs a Prometheus: apt install prometheus', { cause: error });
  });
});
afterAll(async () => {
  prometheus?.kill();
  for (const child of home.started) child.kill();
  await home[Symbol.asyncDispose]();
});

interface Series {
  readonly metric: Record<string, string>;
  readonly value: [number, string];
}

async function query(text: string): Promise<readonly Series[]> {
  const answer = await fetch(url + encodeURIComponent(text)).catch(() => undefined);
  const body = (await answer?.json()) as { data?: { result: Series[] } } | undefined;
  return body?.data?.result ?? [];
}

it('Prometheus scrapes the network and finds the nodes by itself', async () => {
  await expect.poll(async () => (await query('devnet_chain_agrees == 1')).length).toBe(1);
  await expect.poll(async () => (await query('up{job="nodes"} == 1')).length).toBe(2);
  const series = await query(
    'op_node_default_refs_number{layer="l2",type="l2_unsafe",node="verifier",devnet="metered"}',
  );
  expect(series).toHaveLength(1);
});

it('each panel of the dashboard has data, with both flavours', async () => {
  const { panels } = JSON.parse(readFileSync(join(root, 'docs/how-to/metrics/grafana.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  for (const { title, targets } of panels)
    for (const { expr } of targets)
      await expect
        .poll(async () => (await query(expr.replaceAll('$devnet', '.*'))).length, { message: title })
        .toBeGreaterThan(0);
});
