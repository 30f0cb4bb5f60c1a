import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reservationsOf } from '../../../src/orchestrator/ports/reservations.ts';
import { BUNDLE, Tiny } from './tiny.ts';

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 130],
] as const)('an attached up tears down at %s and ends with %i', async (signal, code) => {
  await using tiny = new Tiny();
  const up = tiny.start(['up', tiny.spec('held')]);
  await expect.poll(up.stderr, { interval: 10 }).toContain('held is ready');
  up.child.kill(signal);
  expect(await up.closed).toEqual({ code, signal: null });
  await tiny.nothingLeft();
  expect(existsSync(join(tiny.home, 'held'))).toBe(false);
});

it('an attached up ends when its parent is gone (end of input), and when its reader is (EPIPE)', async () => {
  await using tiny = new Tiny();
  const up = tiny.start(['up', tiny.spec('held')]);
  await expect.poll(up.stderr, { interval: 10 }).toContain('held is ready');
  up.child.stderr.destroy();
  up.child.stdout.destroy();
  up.child.stdin.end();
  expect((await up.closed).code).toBe(130);
  await tiny.nothingLeft();
});

it('an attached up leaves nothing when it is killed by SIGKILL: its supervisor sees that', async () => {
  await using tiny = new Tiny();
  const up = tiny.start(['up', tiny.spec('held')]);
  await expect.poll(up.stderr, { interval: 10 }).toContain('held is ready');
  up.child.kill('SIGKILL');
  await up.closed;
  await tiny.nothingLeft();
});

it('an attached up ends when its terminal is closed', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('held');
  const terminal = tiny.startProgram([
    'script',
    '-qfc',
    `exec ${process.execPath} ${BUNDLE} up ${spec}`,
    join(tiny.folder, 'typescript'),
  ]);
  await expect
    .poll(
      () => (existsSync(join(tiny.folder, 'typescript')) ? readFileSync(join(tiny.folder, 'typescript'), 'utf8') : ''),
      { timeout: 120_000, interval: 10 },
    )
    .toContain('held is ready');
  terminal.child.kill('SIGKILL');
  await terminal.closed;
  await tiny.nothingLeft();
});

it('an interrupt at any moment leaves nothing, and a second one kills', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('any', { el: 'args: { delay: 150 }' });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 1200 }),
      fc.constantFrom('SIGINT', 'SIGTERM', 'SIGKILL'),
      fc.boolean(),
      async (after, signal, twice) => {
        const up = tiny.start(['up', spec]);
        const began = performance.now();
        await expect.poll(() => performance.now() - began, { interval: 5 }).toBeGreaterThanOrEqual(after);
        up.child.kill(signal);
        if (twice) up.child.kill(signal);
        const { code } = await up.closed;
        // Before the command could listen, the signal's own death is its answer.
        expect([130, 143, null]).toContain(code);
        await tiny.nothingLeft();
        const files = () =>
          [join(tiny.home, 'any'), ...reservationsOf({ home: tiny.home, name: 'any' })].filter(existsSync);
        await expect.poll(files, { interval: 5 }).toEqual([]);
      },
    ),
    { numRuns: 6, seed: 11 },
  );
  expect(await tiny.run('up', spec, '-d')).toMatchObject({ code: 0 });
});

it('a third interrupt leaves at once if the supervisor reacts to none, and the guard ends the rest', async () => {
  await using tiny = new Tiny();
  const up = tiny.start(['up', tiny.spec('frozen')]);
  await expect.poll(up.stderr, { interval: 10 }).toContain('frozen is ready');
  const { supervisor } = await tiny.json<{ supervisor: number }>('status');
  process.kill(supervisor, 'SIGSTOP');
  for (const message of ['tearing down', 'SIGINT: killing', 'exiting now; the guard ends the remaining processes']) {
    up.child.kill('SIGINT');
    await expect.poll(up.stderr, { interval: 10 }).toContain(message);
  }
  expect(await up.closed).toEqual({ code: 130, signal: null });
  await tiny.nothingLeft();
});

it('exec gives the command the addresses, returns its code and leaves nothing', async () => {
  await using tiny = new Tiny();
  const script =
    'const { DEVNET_L1_CHAIN_ID: id, L2_901_RPC_URL: url } = process.env;' +
    'console.log(id, url, process.argv.slice(1).join("|")); process.exit(7)';
  const exec = tiny.start(['exec', tiny.spec('ran'), '--', process.execPath, '-e', script, '--', '--json', '$(id)']);
  expect((await exec.closed).code, exec.stderr()).toBe(7);
  expect(exec.stdout()).toMatch(/^900 http:\/\/127\.0\.0\.1:\d+ --json\|\$\(id\)\n$/);
  await tiny.nothingLeft();
  expect(existsSync(join(tiny.home, 'ran'))).toBe(false);
  const missing = tiny.start(['exec', tiny.spec('ran'), '--', 'no-such-program']);
  expect((await missing.closed).code).toBe(4);
  expect(missing.stderr()).toBe(
    'devnet: exec: cannot run no-such-program: it is not on the PATH\n' +
      '  nothing was started; name the command by its path, or put its folder into PATH\n' +
      '  error code spawn: `devnet explain spawn`\n',
  );
  await tiny.nothingLeft();
});

it('one of ten concurrent starts of a devnet succeeds, the others name its supervisor (5)', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('race');
  const ups = Array.from({ length: 10 }, () => tiny.start(['up', spec, '-d']));
  const codes = await Promise.all(ups.map(async ({ closed }) => (await closed).code));
  expect(codes.toSorted()).toEqual([0, ...Array.from({ length: 9 }, () => 5)]);
  for (const [at, up] of ups.entries()) if (codes[at] === 5) expect(up.stderr()).toContain('devnet down race');
  await tiny.ready('race');
});

it('up ends the devnet after its time to live', async () => {
  await using tiny = new Tiny();
  expect(await tiny.run('up', tiny.spec('brief'), '-d', '--ttl', '300ms')).toMatchObject({ code: 0 });
  await expect.poll(() => existsSync(join(tiny.home, 'brief'))).toBe(false);
  await tiny.nothingLeft();
});

it('up leaves a devnet running whose time to live is longer than a timer of Node.js', async () => {
  await using tiny = new Tiny();
  expect(await tiny.run('up', tiny.spec('long'), '-d', '--ttl', '1000h')).toMatchObject({ code: 0 });
  await tiny.ready('long');
  expect(await tiny.run('check', '--name', 'long')).toMatchObject({ code: 0 });
});

it('the command of a manual process is printed, and the start waits for it', async () => {
  await using tiny = new Tiny();
  const up = tiny.start(['up', tiny.spec('own'), '--manual', 'verifier.el']);
  await expect.poll(up.stderr, { interval: 10 }).toMatch(/start it yourself: main\/verifier\/el\n.*rpc-node\.mjs/);
  const command = /start it yourself: main\/verifier\/el\n\s*(.*)\n/.exec(up.stderr())?.[1] ?? '';
  const child = spawn('sh', ['-c', `exec ${command.replace(/^cd \S+ && /, '')}`], { stdio: 'ignore' });
  try {
    await expect.poll(up.stderr, { interval: 10 }).toContain('own is ready');
    up.child.kill('SIGINT');
    expect((await up.closed).code).toBe(130);
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill('SIGKILL');
  }
});
