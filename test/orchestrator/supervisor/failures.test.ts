import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { quietEnvironment } from '../../quiet-environment.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, identityProbe, program, type TaskOptions, temporaryHome } from './fixture-plan.ts';
import { leftovers, Supervised } from './supervised.ts';

/** Runs a network of a healthy task and a failing one to its end. */
async function failing(options: TaskOptions, budgetMs = 20_000) {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  supervised.up(fixturePlan(folder.home, 'failing', [], { healthy: {}, odd: options }), budgetMs);
  const end = await supervised.end();
  expect(leftovers(folder.home)).toEqual([]);
  return { end, failure: supervised.failure(), home: folder.home };
}

it('a task that exits before it is ready fails at once with code, command and last lines', async () => {
  const { end, failure, home } = await failing({
    argv: [process.execPath, program('exits-silently.mjs'), '7'],
    ready: [{ kind: 'tcp', host: '127.0.0.1', port: 1, description: 'listens' }],
  });
  expect(end).toMatchObject({ code: 1, errors: [], kept: join(home, 'failing') });
  expect(failure).toMatchObject({
    task: 'odd',
    reason: 'exited',
    what: 'ended with code 7 before it was ready',
    lastLines: [],
  });
  expect(failure?.command).toContain('exits-silently.mjs 7');
});

it.each([
  {
    line: 'Error: listen EADDRINUSE: address already in use 127.0.0.1:8551',
    cause: 'a port that it listens on was taken',
  },
  { line: 'engine API answered 401 Unauthorized', cause: 'the JWT secrets of the two sides differ' },
  { line: 'the engine refuses our token (HTTP 401): stale token', cause: 'more than 60 s apart' },
  {
    line:
      'L1 was reorganised below its finality: L1 block 9 was final as 0x01 and is 0x02 now, ' +
      'L2 is final up to block 7 (0x03) because of it. Delete …',
    cause: 'L2 is final up to block 7 (0x03) because of it',
  },
  { line: 'fatal: database contains incompatible genesis', cause: 'initialised with another genesis' },
  {
    line: 'L1 genesis is 0x01, the rollup configuration says 0x02: they are of different chains',
    cause: 'block 0 of L1 is not the one that was computed',
  },
  { line: 'write /data: no space left on device', cause: 'the disk is full' },
  { line: 'error: unexpected argument --rollup.frobnicate found', cause: 'does not know an option' },
])('$line → $cause', async ({ line, cause }) => {
  const { failure } = await failing({
    argv: [process.execPath, program('noisy-stderr.mjs'), 'starting', line],
    ready: [{ kind: 'tcp', host: '127.0.0.1', port: 1, description: 'listens' }],
  });
  expect(failure?.lastLines).toEqual(['starting', line]);
  expect(failure?.cause).toContain(cause);
});

it('a wrong JWT names the two sides that differ', async () => {
  const { failure } = await failing({
    chain: 'main',
    node: 'verifier',
    argv: [process.execPath, program('noisy-stderr.mjs'), 'engine: HTTP 401: token signature is invalid'],
    ready: [{ kind: 'tcp', host: '127.0.0.1', port: 1, description: 'listens' }],
  });
  expect(failure?.cause).toContain('main/verifier/el and main/verifier/cl must read the same file');
});

it('a task killed with SIGKILL is reported with the likely cause', async () => {
  const { failure } = await failing({
    argv: ['/bin/sh', '-c', 'kill -9 $$'],
    ready: [{ kind: 'tcp', host: '127.0.0.1', port: 1, description: 'listens' }],
  });
  expect(failure?.what).toContain('SIGKILL');
  expect(failure?.cause).toContain('memory');
});

it.each([
  { argv: ['/nowhere/op-geth'], what: 'program /nowhere/op-geth not found' },
  { argv: ['no-such-program-at-all'], what: 'program no-such-program-at-all not found in PATH' },
  { argv: [program('exits-silently.mjs')], what: 'is not executable' },
])('a binary that cannot be run is reported by its cause: $what', async ({ argv, what }) => {
  const { end, failure } = await failing({ argv });
  expect(end.code).toBe(4);
  expect(failure).toMatchObject({ reason: 'spawn', exit: 4 });
  expect(failure?.what).toContain(what);
});

it('a failing prepare step names itself, and the command is not run', async () => {
  using folder = temporaryHome();
  const { failure } = await failing({
    prepare: [{ argv: ['/bin/sh', '-c', 'echo no genesis; exit 3'], cwd: folder.home, env: {} }],
  });
  expect(failure).toMatchObject({
    reason: 'prepare',
    what: 'its prepare step ended with code 3',
    lastLines: ['no genesis'],
  });
});

it('a task that is not ready within the budget fails with what it waited for (exit 3)', async () => {
  const { end, failure } = await failing(
    { ready: [{ kind: 'tcp', host: '127.0.0.1', port: 1, description: 'listens' }] },
    600,
  );
  expect(end.code).toBe(3);
  expect(failure).toMatchObject({ task: 'odd', reason: 'not-ready' });
  expect(failure?.what).toContain('listens: no process listens on 127.0.0.1:1');
});

it('a network whose nodes have different blocks is not ready', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  supervised.up(
    fixturePlan(folder.home, 'parted', [{ port: await freePort() }, { port: await freePort(), flags: ['--fork=1'] }]),
    8000,
  );
  expect((await supervised.end()).code).toBe(3);
  expect(supervised.failure()?.what).toMatch(/different blocks (\d): main\/node-0 0xb000\1, main\/node-1 0xf000\1/);
});

it('a network whose rollup node has not found its heads is not ready, whatever its blocks', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  supervised.up(
    fixturePlan(folder.home, 'lost', [{ port: await freePort() }, { port: await freePort(), flags: ['--lost'] }]),
    2000,
  );
  expect((await supervised.end()).code).toBe(3);
  expect(supervised.failure()?.what).toContain('main/node-1: has no block above genesis yet');
});

it('a port that the task found in use is reported as taken, although its holder has ended', async () => {
  const port = await freePort();
  const { failure } = await failing({
    argv: [
      process.execPath,
      program('noisy-stderr.mjs'),
      `listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    ],
    ready: [{ kind: 'tcp', host: '127.0.0.1', port: 1, description: 'listens' }],
    ports: [{ name: 'http', host: '127.0.0.1', port, transport: 'tcp' }],
  });
  expect(failure?.takenPorts).toEqual([port]);
});

it("another program's answer on a task's port fails the start with that program", async () => {
  const stranger = createServer((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":{"hash":"0xbb"}}'));
  await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
  const { port } = stranger.address() as { port: number };
  try {
    const { end, failure } = await failing({
      ready: [identityProbe(port)],
      ports: [{ name: 'http', host: '127.0.0.1', port, transport: 'tcp' }],
    });
    expect(end.code).toBe(4);
    expect(failure).toMatchObject({ reason: 'stranger', takenPorts: [port] });
    expect(failure?.what).toContain(`process ${process.pid}`);
  } finally {
    stranger.close();
  }
});

it.each([
  ['another home', 'failing', ''],
  ['another name in the same home', 'other', 'same'],
])('the same task of a devnet of %s counts as a foreign process, too', async (_, name, home) => {
  using folder = temporaryHome();
  using elsewhere = temporaryHome();
  const serve = `require('node:http').createServer((_, response) =>
      response.end('{"jsonrpc":"2.0","id":1,"result":{"hash":"0xbb"}}')).listen(0, '127.0.0.1', function () {
    console.log(this.address().port);
  })`;
  const stamp = {
    DEVNET_HOME: home === 'same' ? folder.home : elsewhere.home,
    DEVNET_NAME: name,
    DEVNET_TASK: 'odd',
    DEVNET_PROCESS: 'task',
  };
  const stranger = spawn(process.execPath, ['-e', serve], { env: { ...quietEnvironment, ...stamp } });
  try {
    const port = Number(await new Promise<Buffer>((resolve) => stranger.stdout.once('data', resolve)));
    await using supervised = new Supervised(folder.home);
    supervised.up(
      fixturePlan(folder.home, 'failing', [], {
        odd: {
          ready: [identityProbe(port)],
          ports: [{ name: 'http', host: '127.0.0.1', port, transport: 'tcp' }],
        },
      }),
      20_000,
    );
    expect((await supervised.end()).code).toBe(4);
    expect(supervised.failure()).toMatchObject({ reason: 'stranger', takenPorts: [port] });
    expect(supervised.failure()?.what).toContain(`process ${stranger.pid}, odd of the devnet ${name}`);
  } finally {
    stranger.kill('SIGKILL');
  }
});

it('a port that another process took before the task listens is reported with its holder', async () => {
  const thief = createServer();
  await new Promise<void>((done) => thief.listen(0, '127.0.0.1', done));
  const { port } = thief.address() as { port: number };
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  try {
    supervised.up(fixturePlan(folder.home, 'stolen', [{ port }]));
    expect((await supervised.end()).code).toBe(4);
    expect(supervised.failure()?.takenPorts).toEqual([port]);
    expect(supervised.failure()?.cause).toContain(`held by process ${process.pid}`);
  } finally {
    thief.close();
  }
});

/** Returns the pid of a task's current process. */
const pidOf = (supervised: Supervised, task: string) =>
  supervised.events.findLast(
    (event) => event.event === 'task' && event.task === task && event.phase === 'ready' && event.pid,
  ) as { pid: number };

it('a node that dies while the network runs takes it down if the spec says fail', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  await supervised.up(fixturePlan(folder.home, 'dies', [{ port: await freePort() }])).phase('ready');
  process.kill(pidOf(supervised, 'main/node-0/el').pid, 'SIGSEGV');
  expect((await supervised.end()).code).toBe(1);
  expect(supervised.failure()).toMatchObject({
    task: 'main/node-0/el',
    what: 'was ended by SIGSEGV while the network ran',
    cause: 'the program crashed, which no option should make it do',
    lastLines: [expect.stringContaining('listening on')],
  });
  expect(leftovers(folder.home)).toEqual([]);
});

it('a failed task is started again if it says restart, and the network goes on if it says ignore', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  await supervised
    .up(
      fixturePlan(folder.home, 'again', [{ port: await freePort() }], {
        back: { onExit: 'restart' },
        gone: { onExit: 'ignore' },
      }),
    )
    .phase('ready');
  const phases = (task: string) =>
    supervised.events.flatMap((event) => (event.event === 'task' && event.task === task ? [event.phase] : []));
  const network = () => supervised.events.findLast((event) => event.event === 'phase');
  process.kill(pidOf(supervised, 'back').pid, 'SIGKILL');
  await supervised.until(() => phases('back').filter((phase) => phase === 'ready').length === 2);
  expect(phases('back')).toEqual(['starting', 'ready', 'restarting', 'starting', 'ready']);
  await supervised.until(() => network()?.phase === 'ready');
  process.kill(pidOf(supervised, 'gone').pid, 'SIGKILL');
  await supervised.until(() => network()?.phase === 'degraded');
  expect(phases('gone')).toEqual(['starting', 'ready', 'failed']);
});

it('a task fails after repeated exits, and the tasks that need it are blocked', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  const plan = fixturePlan(folder.home, 'loop', [], { loop: { onExit: 'restart', argv: ['/bin/sh', '-c', 'exit 1'] } });
  supervised.up(plan);
  await supervised.until(() => supervised.events.some((event) => event.event === 'task' && event.phase === 'failed'));
  const restarts = supervised.events.filter((event) => event.event === 'task' && event.phase === 'restarting');
  expect(restarts.length).toBe(5);
});

it('a file that cannot be written fails the start', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  const plan = fixturePlan(folder.home, 'files', [{ port: await freePort() }]);
  supervised.up({
    ...plan,
    files: [{ path: '/proc/none/file', mode: 0o600, secret: false, content: { kind: 'text', text: '' } }],
  });
  expect((await supervised.end()).code).toBe(1);
  expect(supervised.failure()?.what).toContain('/proc/none');
  expect(leftovers(folder.home)).toEqual([]);
  expect(pathsOf(folder.home, 'files').folder).toContain('files');
});
