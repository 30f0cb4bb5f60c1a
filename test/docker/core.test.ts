import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { dockerPrograms, run } from './debian.ts';
import { importBase, OwnDaemon } from './own-daemon.ts';
import { NATIVE, noRegistry, preparationOf, Registry } from './registry.ts';
import { BASE, docker, leftInDocker } from './support.ts';

/** The bound of the promise: containers and networks are gone this long after their supervisor. */
const GONE = { timeout: 15_000, interval: 100 };

const folder = mkdtempSync(join(tmpdir(), 'devnet-docker-'));
let daemon: OwnDaemon | undefined;
/** Why there is no daemon to test with. */
let reason: string | undefined;

beforeAll(async () => {
  for (const name of ['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_TLS_VERIFY', 'DOCKER_CERT_PATH'])
    delete process.env[name];
  if (process.env['DEVNET_TEST_DOCKER'] !== '1') {
    reason = '`make test-docker-core` and `.ci/run` run them';
    return;
  }
  try {
    await dockerPrograms(folder);
    daemon = new OwnDaemon();
    await daemon.start();
    process.env['DOCKER_HOST'] = daemon.host;
    process.env['DEVNET_BASE_IMAGE'] = BASE;
    await importBase();
    await runsContainers();
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
    console.log(`no networks in containers are tested: ${reason}`);
  }
}, 600_000);

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

/** Checks with Docker's own client that the machine lets containers run, and reaches their ports. @throws Error */
async function runsContainers(): Promise<void> {
  const driver = await run('docker', ['info', '--format', '{{.Driver}}']);
  if (driver === 'vfs') throw new Error('dockerd finds no overlay file system here, and copies each image instead');
  const listen = "require('http').createServer((q, a) => a.end('ok')).listen(8080)";
  await run('docker', ['network', 'create', 'probe']);
  const secured = ['--init', '--cap-drop', 'ALL', '--user', '65532:65532', '--security-opt', 'no-new-privileges'];
  const published = ['--network', 'probe', '--publish', '127.0.0.1::8080'];
  await run('docker', ['run', '--detach', '--name', 'probe', ...secured, ...published, BASE, 'node', '-e', listen]);
  const address = await run('docker', ['port', 'probe', '8080']);
  try {
    await vi.waitFor(
      async () =>
        expect(await (await fetch(`http://${address}`, { signal: AbortSignal.timeout(2000) })).text()).toBe('ok'),
      { timeout: 20_000, interval: 100 },
    );
  } catch {
    throw new Error(`a port that Docker publishes at ${address} does not answer`);
  }
  await run('docker', ['rm', '--force', 'probe']);
  await run('docker', ['network', 'rm', 'probe']);
}

const folderOf = (home: Home) => home.env['DEVNET_HOME'] ?? '';

it('an image that the daemon does not have is pulled from its registry', async ({ skip }) => {
  const why = reason ?? noRegistry();
  skip(why !== undefined, why);
  await using registry = await Registry.start();
  const image = registry.push('small', NATIVE);
  await (await preparationOf(image))?.run(() => undefined);
  expect(docker('image', 'inspect', image, '--format', '{{.RepoTags}}')).toBe(`[${image}]`);
});

it('the default network agrees in containers, on loopback only, and kill -9 leaves nothing', async ({ skip }) => {
  skip(reason !== undefined, reason);
  await using home = new Home();
  const status = await home.up('default', '--runtime', 'docker', '-n', 'boxes', '--ready-budget', '4m');
  const left = () => leftInDocker(folderOf(home));
  for (const name of ['-l1', '-l1-beacon', '-sequencer-cl', '-verifier-el', '-verifier-cl', '-batcher', '-link'])
    expect(left()).toContainEqual(expect.stringMatching(new RegExp(`${name}$`)));
  const el = status.chains[0]?.nodes[0]?.el;
  expect([el?.container, el?.pid]).toEqual([expect.stringMatching(/-main-sequencer-el$/), null]);
  const published = docker('ps', '--format', '{{.Ports}}');
  const hosts = [...published.matchAll(/([\d.]+):\d+->/g)].map(([, host]) => host ?? '');
  expect(hosts.length).toBeGreaterThan(10);
  expect(hosts.filter((host) => !host.startsWith('127.'))).toEqual([]);
  expect((await home.devnet('check')).stderr).toContain('all nodes agree');
  expect(readFileSync(`${folderOf(home)}/boxes/nodes/main/sequencer/cl.log`, 'utf8')).toContain('\n');
  const running = await home.json<readonly { readonly pid: number }[]>('ls');
  process.kill(running[0]?.pid ?? 0, 'SIGKILL');
  await vi.waitFor(() => expect(left()).toEqual([]), GONE);
  expect((await home.devnet('down', 'boxes')).code).toBe(0);
});

it('containers and processes reach each other in both directions, and agree', async ({ skip }) => {
  skip(reason !== undefined, reason);
  await using home = new Home();
  const inside = { runtime: 'docker' };
  const nodes = { s: { role: 'sequencer', el: inside }, v: { cl: inside } };
  const spec = home.spec('mixed', { name: 'mixed', chains: { main: { blockTime: 1, proposer: false, nodes } } });
  const { chains } = await home.up(spec, '--ready-budget', '4m');
  expect(chains[0]?.nodes.map(({ el }) => el.container !== undefined)).toEqual([true, false]);
  expect((await home.devnet('wait', 'safe:2', '--timeout', '120s')).code).toBe(0);
  expect((await home.devnet('check')).stderr).toContain('all nodes agree');
  expect((await home.devnet('down')).code).toBe(0);
  expect(leftInDocker(folderOf(home))).toEqual([]);
});
