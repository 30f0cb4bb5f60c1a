import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { freePort } from '../system/free-port.ts';
import { Home, node, root, rpc, type Status } from './devnet.ts';

const SHELL_POLL = { timeout: 120_000, interval: 100 };
const genesis = () => Math.floor(Date.now() / 1000);
const small = (name: string, verifier: object = {}) => ({
  version: 1,
  name,
  ports: 'auto',
  time: { genesis: genesis() },
  l1: { blockTime: 1 },
  chains: {
    main: {
      blockTime: 1,
      nodes: { sequencer: { role: 'sequencer', el: 'execution-go' }, verifier: { el: 'execution-rust', ...verifier } },
    },
  },
});

const blockOf = (url: string, tag: string) =>
  rpc<{ number: string; hash: string } | null>(url, 'eth_getBlockByNumber', tag, false);

/** Waits until all execution clients have the same block 1. */
async function agreed(urls: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const hashes = await Promise.all(urls.map(async (url) => (await blockOf(url, '0x1'))?.hash));
    expect(hashes[0]).toMatch(/^0x/);
    expect(new Set(hashes).size).toBe(1);
  }, SHELL_POLL);
}

/** Returns the processes whose command line names a folder. */
function naming(folder: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
        return words.some((word) => word.includes(folder)) ? [`${pid} ${words.join(' ')}`] : [];
      } catch {
        return [];
      }
    });
}

/** Programs that the test started itself, as a user in another terminal. */
const byHand: ChildProcess[] = [];
const start = (program: string, args: string[]) => {
  const child = spawn(program, args, { env: {}, stdio: 'ignore', detached: true });
  byHand.push(child);
  return child;
};
afterEach(() => {
  for (const { pid, exitCode, signalCode } of byHand.splice(0))
    if (exitCode === null && signalCode === null) process.kill(-pid!, 'SIGKILL');
});
const runs = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

describe('a network without the supervisor', () => {
  it('starts from the script of `plan --shell` alone, in an empty environment, and ends with it', async () => {
    await using home = new Home();
    const spec = home.spec('by-hand', small('by-hand'));
    const planned = await home.json<Plan>('plan', spec);
    const { code, stdout: script } = await home.devnet('plan', spec, '--shell');
    expect(code).toBe(0);
    // Keys are read from their files, never written into the script.
    for (const { path, secret } of planned.files)
      if (secret) expect(script).not.toContain(readFileSync(path, 'utf8').trim());
    const file = join(home.folder, 'network.sh');
    writeFileSync(file, script);
    const bash = start('/bin/bash', [file]);
    const end = new Promise((done) => bash.on('close', done));
    try {
      await agreed(planned.network.chains[0]!.nodes.map(({ el }) => el.http));
      expect(naming(home.folder).some((line) => line.includes('supervisor'))).toBe(false);
    } finally {
      bash.kill('SIGTERM');
    }
    await end;
    await vi.waitFor(() => expect(naming(home.folder)).toEqual([]), SHELL_POLL);
  });
});

describe('a node that the user starts', () => {
  it.each([
    ['sequencer', 'el'],
    ['sequencer', 'cl'],
    ['verifier', 'el'],
  ] as const)(
    'the %s’s %s with launch: manual has its files, its command is printed, and it completes the network',
    async (name, part) => {
      await using home = new Home();
      const up = home.start('up', home.spec('manual', small('manual')), '-d', '--manual', `${name}.${part}`);
      let output = '';
      up.stderr!.setEncoding('utf8').on('data', (text: string) => (output += text));
      const closed = new Promise<number | null>((done) => up.on('close', done));
      const command = await vi.waitFor(() => {
        const line = new RegExp(`start it yourself: main/${name}/${part}\n +(.+)\n`).exec(output)?.[1];
        expect(line, output).toBeDefined();
        return line!;
      }, SHELL_POLL);
      for (const [, file] of command.matchAll(/=(\/\S+\.(?:json|hex))/g))
        if (!file!.includes('/data/')) expect(existsSync(file!), file).toBe(true);
      expect(up.exitCode).toBeNull();
      const child = start('/bin/bash', ['-c', command]);
      expect(await closed, output).toBe(0);
      const status = await home.json<Status>('status');
      expect(status.phase).toBe('ready');
      await agreed([node(status, 'sequencer').el.http, node(status, 'verifier').el.http]);
      expect(runs(child)).toBe(true);
    },
  );

  it('an external execution client that runs already is used, and left running', async () => {
    await using home = new Home();
    const [http, engine] = [await freePort(), await freePort()];
    const jwt = join(home.folder, 'theirs.hex');
    writeFileSync(jwt, '7b'.repeat(32), { mode: 0o600 });
    const spec = home.spec(
      'external',
      small('external', {
        el: { external: { http: `http://127.0.0.1:${http}`, engine: `http://127.0.0.1:${engine}`, jwt } },
      }),
    );
    const files = join(home.folder, 'files');
    expect((await home.devnet('plan', spec, '--shell', '--out', files)).code).toBe(0);
    const theirs = start(process.execPath, [
      join(root, 'dist', 'execution-client.js'),
      `--chain=${join(files, 'external', 'genesis', 'main', 'genesis.json')}`,
      `--datadir=${join(home.folder, 'theirs')}`,
      '--http',
      `--http.port=${http}`,
      `--authrpc.port=${engine}`,
      `--authrpc.jwtsecret=${jwt}`,
    ]);
    const status = await home.up(spec);
    await agreed([node(status, 'sequencer').el.http, `http://127.0.0.1:${http}`]);
    await home.agrees();
    expect((await home.devnet('down')).code).toBe(0);
    expect(runs(theirs)).toBe(true);
    expect((await blockOf(`http://127.0.0.1:${http}`, 'latest'))?.number).not.toBe('0x0');
  });
});
