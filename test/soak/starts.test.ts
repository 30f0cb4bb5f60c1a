import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Home, root } from '../e2e/devnet.ts';
import { busy } from './busy.ts';

/** Starts, busy threads per processor, and kills of a program. */
const STARTS = Number(process.env['STARTS'] ?? 1000);
const LOAD = Number(process.env['LOAD'] ?? 2);
const KILLS = Number(process.env['KILLS'] ?? 20);

/** Time (ms) in which all processes of a dead program's network must be gone. */
const END_TIMEOUT_MS = 2000;

it(`${STARTS} starts, checks and teardowns while all processors are busy`, async () => {
  await using home = new Home();
  const spec = home.spec('starts', { version: 1, name: 'starts', ports: 'auto' });
  using _load = busy(LOAD * availableParallelism());
  const failures: string[] = [];
  // Each failure is shown when it happens: a run takes hours.
  const fail = (failure: string) => {
    failures.push(failure);
    process.stderr.write(`${new Date().toISOString()} ${failure}\n`);
  };
  const times: number[] = [];
  for (let at = 1; at <= STARTS; at++) {
    const began = performance.now();
    for (const argv of [
      ['up', spec, '-d', '--ready-budget', '120s'],
      ['check', 'starts'],
      ['down', 'starts'],
    ]) {
      const { code, stderr } = await home.process(...argv);
      if (argv[0] === 'up') times.push(performance.now() - began);
      if (code !== 0) fail(`start ${at}: ${argv[0]} ended with ${code}: ${stderr}`);
    }
    for (const left of home.leftovers()) fail(`start ${at} left ${left}`);
    if (at % 50 === 0) process.stderr.write(`${at} of ${STARTS} starts, ${failures.length} failures\n`);
  }
  times.sort((one, other) => one - other);
  const seconds = (part: number) => (times[Math.floor((times.length - 1) * part)]! / 1000).toFixed(1);
  console.log(`up: median ${seconds(0.5)} s, slowest ${seconds(1)} s, ${failures.length} failures of ${STARTS}`);
  expect(failures).toEqual([]);
});

it(`a program that holds a network leaves nothing ${END_TIMEOUT_MS} ms after kill -9, ${KILLS} times`, async () => {
  await using home = new Home();
  const library = join(root, 'dist', 'library', 'index.mjs');
  const program =
    `import { startDevnet } from ${JSON.stringify(library)}; await startDevnet({ ports: 'auto', budget: 120000 }); ` +
    `console.log('up'); setInterval(String, 1e9)`;
  const times: number[] = [];
  for (let at = 0; at < KILLS; at++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: home.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    home.started.push(child);
    await once(child.stdout, 'data');
    expect(home.leftovers().length).toBeGreaterThan(4);
    const killed = performance.now();
    child.kill('SIGKILL');
    while (home.leftovers().length > 0 && performance.now() - killed < 10 * END_TIMEOUT_MS)
      await new Promise((next) => setTimeout(next, 5));
    times.push(performance.now() - killed);
  }
  console.log(`gone after at most ${Math.max(...times).toFixed(0)} ms`);
  expect(Math.max(...times)).toBeLessThan(END_TIMEOUT_MS);
});
