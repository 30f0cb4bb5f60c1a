import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { connect, startDevnet } from '../../src/library/index.ts';
import { pathsOf } from '../../src/orchestrator/state/paths.ts';
import { Tiny } from '../orchestrator/cli/tiny.ts';

const clockOf = (tiny: Tiny) => JSON.parse(readFileSync(pathsOf(tiny.home, 'net').state, 'utf8')).clock;

it('a pause outlasts a stop and a start, and the clock goes on after a resume', async () => {
  await using tiny = new Tiny();
  expect(await tiny.start(['up', tiny.spec('net'), '-d']).closed).toMatchObject({ code: 0 });
  expect(await tiny.run('pause', 'net')).toMatchObject({ code: 0 });
  const { at } = clockOf(tiny);
  for (const nth of [1, 2]) {
    expect(await tiny.run('stop', 'net')).toMatchObject({ code: 0 });
    const { closed, stderr } = tiny.start(['start', 'net']);
    expect(await closed).toMatchObject({ code: 0 });
    expect(stderr(), `start ${nth}`).toMatch(/the clock stands.*devnet.* resume/);
    expect(clockOf(tiny)).toMatchObject({ at, rate: 0 });
  }
  expect(await tiny.run('resume', 'net')).toMatchObject({ code: 0 });
  expect(clockOf(tiny)).toMatchObject({ rate: 1 });
  expect(await tiny.run('stop', 'net')).toMatchObject({ code: 0 });
  expect(await tiny.start(['start', 'net']).closed).toMatchObject({ code: 0 });
  expect(clockOf(tiny)).toMatchObject({ rate: 1 });
});

it('down of a handle ends its devnet also after another process has restarted it', async () => {
  await using tiny = new Tiny();
  const start = () => startDevnet({ spec: tiny.spec('net'), name: 'net', home: tiny.home });
  for (const again of [false, true]) {
    const net = await start();
    expect(await tiny.run('stop', 'net')).toMatchObject({ code: 0 });
    if (again) expect(await tiny.start(['start', 'net']).closed).toMatchObject({ code: 0 });
    await net.down();
    await tiny.nothingLeft();
    expect(existsSync(net.folder)).toBe(false);
    // If it is gone, it has no effect.
    await net.down();
  }
});

it('a handle reports that another devnet has its name, and leaves that one alone', async () => {
  await using tiny = new Tiny();
  const options = { home: tiny.home };
  const spec = tiny.spec('net');
  const started = await startDevnet({ spec, name: 'net', ...options });
  const connected = await connect({ name: 'net', ...options });
  expect(await tiny.run('down', 'net')).toMatchObject({ code: 0 });
  expect(await tiny.start(['up', spec, '-d']).closed).toMatchObject({ code: 0 });
  for (const net of [started, connected]) {
    await expect(net.down()).rejects.toMatchObject({ code: 'another', message: /net is another devnet now/ });
    await expect(net.pause()).rejects.toMatchObject({ code: 'another' });
  }
  expect(await tiny.json('status', 'net')).toMatchObject({ name: 'net' });
  await (await connect({ name: 'net', ...options })).down();
  await tiny.nothingLeft();
});
