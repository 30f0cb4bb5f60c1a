import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { httpClient } from '../../src/rpc/client/http-client.ts';
import { Home } from '../e2e/devnet.ts';
import { readHowTo } from '../e2e/support/how-to.ts';
import { docker, NO_DOCKER } from './support.ts';

/** Words that run Compose: the plugin's binary, `docker-compose`. */
const COMPOSE = process.env['COMPOSE']?.split(' ') ?? [];
const NONE = NO_DOCKER ?? (COMPOSE.length === 0 ? '`make test-compose COMPOSE=PATH` runs them' : undefined);
const BECAUSE = NONE === undefined ? '' : ` (${NONE})`;

const UNTIL = { timeout: 120_000, interval: 500 };

/** Runs Compose in the folder of an export. @throws Error with its words */
function compose(folder: string, ...args: readonly string[]): string {
  const [program = '', ...first] = COMPOSE;
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${COMPOSE.join(' ')} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function call<T>(port: number, method: string, ...params: readonly unknown[]): Promise<T | undefined> {
  const client = httpClient({ url: `http://127.0.0.1:${port}` });
  return client
    .call<T>(method, params, { timeoutMs: 2000 })
    .catch(() => undefined)
    .finally(() => client.close());
}

const hashAt = async (port: number, number: string) =>
  (await call<{ hash: string }>(port, 'eth_getBlockByNumber', number, false))?.hash;
const safeHead = async (port: number) =>
  (await call<{ safe_l2: { number: number } }>(port, 'optimism_syncStatus'))?.safe_l2.number ?? 0;

/** Containers of a project with their states, as `healthy main-batcher`. */
function containersOf(project: string): string[] {
  const format = '{{.ID}} {{.Label "com.docker.compose.service"}}';
  const lines = docker('ps', '--all', '--filter', `label=com.docker.compose.project=${project}`, '--format', format);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', service] = line.split(' ');
      return `${docker('inspect', id, '--format', '{{.State.Health.Status}} {{.State.Pid}}')} ${service}`;
    });
}

/** Makes the context `far` of the page: the daemon of the tests behind a port, as that of another machine. */
async function farDaemon(home: Home) {
  const { DOCKER_HOST: host = 'unix:///var/run/docker.sock' } = process.env;
  let count = 0;
  const server = createServer((near) => {
    count++;
    near.on('error', () => undefined);
    pipeline(near, connect(host.slice('unix://'.length)), near, () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  home.env['DOCKER_CONFIG'] = join(home.folder, 'docker');
  const words = ['context', 'create', 'far', '--docker', `host=tcp://127.0.0.1:${address.port}`];
  const { status, stderr } = spawnSync('docker', words, { env: home.env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.anything()]);
  return { connections: () => count, [Symbol.dispose]: () => void server.close() };
}

describe.skipIf(NONE !== undefined)(`a network by Docker Compose${BECAUSE}`, () => {
  it('the how-to starts it, it survives kills and a stop, and leaves nothing', { timeout: 600_000 }, async () => {
    await using home = new Home();
    const { commands } = readHowTo('compose.md');
    const runAll = async (first: string, last: string) => {
      const from = commands.findIndex((words) => words[0] === first);
      const to = commands.findLastIndex((words) => words[0] === last);
      const printed: string[] = [];
      for (const words of commands.slice(from, to + 1)) {
        const { code, stdout, stderr } = await home.process(...words);
        expect([words, code, stderr]).toEqual([words, 0, expect.anything()]);
        printed.push(stdout + stderr);
      }
      return printed.join('\n');
    };
    await runAll('image', 'export');
    const folder = join(home.folder, 'net');
    const states = () => containersOf('devnet-default');
    const allHealthy = () => states().length === 7 && states().every((state) => state.startsWith('healthy '));
    try {
      compose(folder, 'up', '-d');
      await vi.waitUntil(async () => (await safeHead(9557)) >= 3, UNTIL);
      await vi.waitUntil(allHealthy, UNTIL);
      const third = await hashAt(9545, '0x3');
      expect(third).toBeDefined();
      expect(await hashAt(9555, '0x3')).toBe(third);

      using daemon = await farDaemon(home);
      const printed = await runAll('attach', 'down');
      expect(printed.split('all nodes agree')).toHaveLength(4);
      expect(daemon.connections()).toBeGreaterThan(1);
      expect(printed).toMatch(/20 .*included/);
      expect(printed).toMatch(/main\/verifier\/el .*execution client started/);

      const joins = home.spec('mine', { chains: { main: { nodes: { mine: { join: null } } } } });
      const words = ['attach', joins, '--context', 'far', '-d', '--name', 'distant'];
      expect(await home.devnet(...words)).toMatchObject({ code: 0 });
      await vi.waitUntil(async () => (await home.devnet('check', 'distant')).stderr.includes('all nodes agree'), UNTIL);
      expect((await home.devnet('down', 'distant')).code).toBe(0);

      const attachFile = join(folder, 'attach.yaml');
      const network = parse(readFileSync(attachFile, 'utf8'));
      network.chains.main.nodes.mine = { join: null };
      writeFileSync(attachFile, stringify(network));
      expect(await home.devnet('attach', attachFile, '-d', '--name', 'joint')).toMatchObject({ code: 0 });
      expect((await home.devnet('wait', 'safe:5', '--name', 'joint')).code).toBe(0);
      await home.agrees('joint');
      expect((await home.devnet('down', 'joint')).code).toBe(0);

      for (const service of ['l1', 'main-verifier-el']) {
        const [, pid] =
          states()
            .find((state) => state.endsWith(` ${service}`))
            ?.split(' ') ?? [];
        process.kill(Number(pid), 'SIGKILL');
      }
      const killedAt = await safeHead(9547);
      await vi.waitUntil(async () => (await safeHead(9557)) > killedAt + 3, UNTIL);

      compose(folder, 'stop');
      compose(folder, 'start');
      const stoppedAt = await safeHead(9547);
      await vi.waitUntil(async () => (await safeHead(9557)) > stoppedAt, UNTIL);
      await vi.waitUntil(allHealthy, UNTIL);
      expect(await hashAt(9555, '0x3')).toBe(third);
    } finally {
      compose(folder, 'down', '-v');
    }
    expect(states()).toEqual([]);
    expect(docker('volume', 'ls', '--quiet', '--filter', 'label=com.docker.compose.project=devnet-default')).toBe('');
  });

  it('a client in an image of its own starts on the files that the entry program wrote', UNTIL, async () => {
    await using home = new Home();
    const own = ['--image', 'example.org/devnet:1'];
    expect(await home.devnet('image', 'build', '--tag', 'example.org/devnet:1')).toMatchObject({ code: 0 });
    expect(await home.devnet('image', 'build', '--tag', 'example.org/client:1')).toMatchObject({ code: 0 });
    const el = '{ client: execution-go, image: "example.org/client:1" }';
    const nodes = `{ s: { role: sequencer }, v: { el: ${el} } }`;
    const spec = home.spec('net', `name: apart\nchains: { main: { nodes: ${nodes} } }`);
    expect(await home.devnet('export', 'compose', spec, '--out', 'net', ...own)).toMatchObject({ code: 0 });
    const folder = join(home.folder, 'net');
    try {
      compose(folder, 'up', '-d');
      await vi.waitUntil(async () => (await safeHead(9557)) >= 3, UNTIL);
      const third = await hashAt(9545, '0x3');
      expect(third).toBeDefined();
      expect(await hashAt(9555, '0x3')).toBe(third);
      expect(await home.devnet('attach', '--context', 'default', '-d')).toMatchObject({ code: 0 });
      const check = async () => (await home.devnet('check')).stderr;
      await vi.waitUntil(async () => (await check()).includes('all nodes agree'), UNTIL);
      expect((await home.devnet('logs', 'v.el')).stdout).toContain('execution client started');
      expect((await home.devnet('down')).code).toBe(0);
      const images = docker('ps', '--filter', 'label=com.docker.compose.service=main-v-el', '--format', '{{.Image}}');
      expect(images).toBe('example.org/client:1');
    } finally {
      compose(folder, 'down', '-v');
    }
  });
});
