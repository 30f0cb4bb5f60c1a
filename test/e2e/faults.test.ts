import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { Home, node, root, rpc, type Status } from './devnet.ts';

const small = (name: string, verifier: object = {}, chain: object = {}) => ({
  version: 1,
  name,
  ports: 'auto',
  l1: { blockTime: 1 },
  chains: {
    main: {
      blockTime: 1,
      proposer: false,
      ...chain,
      nodes: { sequencer: { role: 'sequencer', el: 'execution-go' }, verifier: { el: 'execution-rust', ...verifier } },
    },
  },
});
const BUDGET = ['--ready-budget', '300s'];
const STACK = /\n\s+at .+:\d+:\d+/;

// Two of these wait for a budget of the start.
describe.concurrent('a failing start leaves nothing behind and names', () => {
  it('both processes, and the file that each reads, if the JWT secrets differ', async () => {
    await using home = new Home();
    const other = join(home.folder, 'other.hex');
    writeFileSync(other, '5a'.repeat(32), { mode: 0o600 });
    // The package's template with another secret.
    const template = readFileSync(join(root, 'templates', 'rollup-node.yaml'), 'utf8');
    writeFileSync(join(home.folder, 'wrong.yaml'), template.replace(/(?<=l2\.jwt-secret: ).+/, other));
    const up = await home.devnet(
      'up',
      home.spec('jwt', small('jwt', { cl: './wrong.yaml' })),
      '-d',
      '--ready-budget',
      '30s',
    );
    expect([1, 3]).toContain(up.code);
    expect(up.stderr).toContain('main/verifier/cl');
    expect(up.stderr).toMatch(
      /still waiting \(\d[^)]*\) for .*main\/verifier\/cl \(the JWT secrets of the two sides differ/,
    );
    expect(up.stderr).toContain(`--l2.jwt-secret=${other}`);
    expect(up.stderr).toMatch(/--authrpc\.jwtsecret=\S+\/verifier\/jwt\.hex/);
    expect(up.stderr).not.toMatch(STACK);
    expect(home.leftovers()).toEqual([]);
  });

  it('a binary that does not exist', async () => {
    await using home = new Home();
    const up = await home.devnet(
      'up',
      home.spec('binary', small('binary', { el: { client: 'op-geth', binary: './nowhere' } })),
      '-d',
      ...BUDGET,
    );
    expect(up.code).toBe(4);
    expect(up.stderr).toContain('nowhere');
    expect(up.stderr).toContain('verifier');
    expect(up.stderr).not.toMatch(STACK);
    expect(home.leftovers()).toEqual([]);
  });

  it('an external execution client of another chain, by its genesis', async () => {
    await using home = new Home();
    const foreign = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as { id: number; method: string };
        const result = method === 'eth_chainId' ? '0x1' : { number: '0x0', hash: `0x${'ab'.repeat(32)}` };
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => foreign.once('listening', listening));
    try {
      const http = `http://127.0.0.1:${(foreign.address() as { port: number }).port}`;
      const jwt = join(home.folder, 'jwt.hex');
      writeFileSync(jwt, '11'.repeat(32), { mode: 0o600 });
      const spec = home.spec('stranger', small('stranger', { el: { external: { http, engine: http, jwt } } }));
      const up = await home.devnet('up', spec, '-d', '--ready-budget', '10s');
      expect([1, 3]).toContain(up.code);
      expect(up.stderr).toContain('verifier');
      expect(up.stderr).toMatch(/genesis|ab{4}/);
      expect(up.stderr).not.toMatch(STACK);
      expect(home.leftovers()).toEqual([]);
    } finally {
      foreign.close();
      foreign.closeAllConnections();
    }
  });

  it('a full disk', async () => {
    await using home = new Home();
    const spec = home.spec('full', small('full'));
    // A limit on the size of a file acts as a full disk.
    const limited = spawn(
      '/bin/bash',
      ['-c', `ulimit -f 400 && exec "$@"`, 'bash', process.execPath, join(root, 'dist', 'devnet.js'), 'up', spec, '-d'],
      { cwd: home.folder, env: home.env, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let stderr = '';
    limited.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
    const code = await new Promise<number | null>((done) => limited.on('close', done));
    expect([1, 4], stderr).toContain(code);
    expect(stderr).toMatch(/EFBIG|file too large|SIGXFSZ/i);
    expect(stderr).toMatch(new RegExp(`cannot write ${home.env['DEVNET_HOME']}/\\S+`));
    expect(stderr).not.toMatch(STACK);
    expect(home.leftovers()).toEqual([]);
  });
});

describe('truncated files', () => {
  // One network for all cases: the start that ends a case is the start of the next one.
  it('status, up and down work with what a dead supervisor left, and down ends a running devnet', async () => {
    await using home = new Home();
    const spec = home.spec('cut', small('cut'));
    const fileOf = (file: string) => join(home.env['DEVNET_HOME']!, 'cut', file);
    await home.up(spec);
    const supervisor = home.leftovers().find((line) => line.includes('devnet-supervisor'))!;
    process.kill(Number(supervisor.split(' ')[0]), 'SIGKILL');
    await vi.waitFor(() => expect(home.leftovers()).toEqual([]), { timeout: 120_000, interval: 50 });
    const whole = ['state.json', 'plan.json'].map((file) => [file, readFileSync(fileOf(file))] as const);
    for (const share of [0, 'one byte', 0.5, 0.99] as const) {
      for (const [file, bytes] of whole)
        writeFileSync(fileOf(file), bytes.subarray(0, share === 'one byte' ? 1 : Math.floor(bytes.length * share)));
      for (const command of [['status'], ['ls'], ['doctor'], ['status', 'cut'], ['check', 'cut']]) {
        const outcome = await home.devnet(...command);
        expect(outcome.code, `${share}: ${command.join(' ')}`).not.toBeNull();
        expect(outcome.stderr, `${share}: ${command.join(' ')}`).not.toMatch(STACK);
      }
    }
    expect((await home.up(spec)).phase).toBe('ready');
    for (const file of ['state.json', 'plan.json']) {
      if (home.leftovers().length === 0) await home.up(spec);
      truncateSync(fileOf(file), 20);
      expect((await home.devnet('status', 'cut')).stderr).not.toMatch(STACK);
      const down = await home.devnet('down', 'cut');
      expect(down.code, `${file}: ${down.stderr}`).toBe(0);
      expect(home.leftovers()).toEqual([]);
    }
  }, 300_000);
});

describe('concurrent starts', () => {
  it('two devnets that prefer the same ports share none', async () => {
    await using home = new Home();
    const names = ['left', 'right'];
    const ups = await Promise.all(
      names.map((name) => home.devnet('up', home.spec(name, { ...small(name), ports: 'preferred' }), '-d', ...BUDGET)),
    );
    expect(ups.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(['', '']);
    const ports = names.map((name) => {
      const plan = JSON.parse(readFileSync(join(home.env['DEVNET_HOME']!, name, 'plan.json'), 'utf8')) as Plan;
      return new Set(plan.tasks.flatMap((task) => task.ports.map(({ port }) => port)));
    });
    for (const numbers of ports) expect(numbers.size).toBeGreaterThan(5);
    for (const name of names) {
      const url = node(await home.json<Status>('status', name), 'verifier').el.http;
      expect(Number(await rpc<string>(url, 'eth_chainId'))).toBe(901);
      await home.agrees(name);
    }
    // One execution client may serve HTTP and WebSocket on one port. Two devnets may not share it.
    const [left, right] = ports;
    expect([...left!].filter((port) => right!.has(port))).toEqual([]);
  }, 300_000);
});

it('down kills a grandchild that left its session and cleared its environment', async () => {
  await using home = new Home();
  const word = `86400.${process.pid}`;
  const program = join(home.folder, 'hider.sh');
  writeFileSync(
    program,
    `#!/bin/bash
(cd / && exec setsid env -i /bin/sleep ${word} </dev/null >/dev/null 2>&1) &
disown
echo hidden
exec /bin/sleep 86400
`,
  );
  chmodSync(program, 0o755);
  writeFileSync(
    join(home.folder, 'hider.yaml'),
    [
      'kind: proposer',
      'implementation: hider',
      `runs: { process: ${program} }`,
      'ports: {}',
      'clock: none',
      'args: {}',
      'ready: [{ log: hidden, description: has hidden its child }]',
      'stop: { grace: 1s }',
      '',
    ].join('\n'),
  );
  const sleepers = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1') === `/bin/sleep\0${word}\0`;
      } catch {
        return false;
      }
    });
  const up = await home.devnet(
    'up',
    home.spec('hide', small('hide', {}, { proposer: './hider.yaml' })),
    '-d',
    ...BUDGET,
  );
  expect(up.code, up.stderr).toBe(0);
  await vi.waitFor(() => expect(sleepers()).toHaveLength(1), { timeout: 120_000 });
  expect(readFileSync(`/proc/${sleepers()[0]}/environ`, 'latin1')).not.toContain('DEVNET');
  const down = await home.devnet('down', 'hide');
  expect(down.code, down.stderr).toBe(0);
  expect(sleepers()).toEqual([]);
});
