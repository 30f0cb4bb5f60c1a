import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../system/free-port.ts';
import { Tiny } from './tiny.ts';

const tiny = new Tiny();
afterAll(() => tiny[Symbol.asyncDispose]());

async function up(spec: string, ...options: readonly string[]): Promise<string> {
  const started = tiny.start(['up', spec, '-d', ...options]);
  expect(await started.closed, started.stderr()).toEqual({ code: 0, signal: null });
  return started.stderr();
}

const page = (url: string) =>
  fetch(url).then(
    (response) => response.text(),
    () => 'nothing listens',
  );

it('a spec with `dashboard: true` serves it until `down`, also after `stop` and `start`', async () => {
  const output = await up(tiny.spec('shown', { top: 'dashboard: true' }));
  const url = / {2}dashboard {2}(http:\S+)\n/.exec(output)?.[1] ?? '';
  await expect.poll(() => page(url)).toContain('<title>devnet</title>');
  expect(await tiny.json('status', 'shown')).toMatchObject({ dashboard: url });
  await tiny.run('stop', 'shown');
  expect(await tiny.json('status', 'shown')).toMatchObject({ dashboard: null });
  expect(await page(url)).toBe('nothing listens');
  const again = tiny.start(['start', 'shown']);
  expect(await again.closed, again.stderr()).toEqual({ code: 0, signal: null });
  await expect.poll(() => page(url)).toContain('<title>devnet</title>');
  await tiny.run('down', 'shown');
  expect(await page(url)).toBe('nothing listens');
  await tiny.nothingLeft();
});

it('a killed supervisor leaves no dashboard', async () => {
  const port = await freePort();
  const output = await up(tiny.spec('killed', { top: `dashboard: { port: ${port} }` }));
  const url = `http://127.0.0.1:${port}/`;
  expect(output).toContain(url);
  await expect.poll(() => page(url)).toContain('<title>devnet</title>');
  const { supervisor } = await tiny.json<{ supervisor: number }>('status', 'killed');
  process.kill(supervisor, 'SIGKILL');
  await tiny.nothingLeft();
  expect(await page(url)).toBe('nothing listens');
});

it('up reports a dashboard that cannot listen, and the network runs on', async () => {
  const port = await freePort();
  const wait = 'touch started; until test -e go; do sleep 0.1; done';
  const top = `dashboard: { port: ${port} }\nafter: ['${wait}']`;
  const started = tiny.start(['up', tiny.spec('blocked', { top })]);
  await expect.poll(() => existsSync(join(tiny.folder, 'started'))).toBe(true);
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  writeFileSync(join(tiny.folder, 'go'), '');
  await expect.poll(started.stderr).toContain(`the dashboard at http://127.0.0.1:${port}/ ended with code 4`);
  expect(readFileSync(join(tiny.home, 'blocked', 'dashboard.log'), 'utf8')).toContain(
    `cannot listen on 127.0.0.1:${port}`,
  );
  expect(await tiny.ready('blocked')).toMatchObject({ dashboard: null, dashboardEnd: 'ended with code 4' });
  other.close();
  await tiny.run('down', 'blocked');
});

it('status reports a dashboard of a spec that ended by itself, until the next start', async () => {
  const output = await up(tiny.spec('ending', { top: 'dashboard: true' }));
  const url = / {2}dashboard {2}(http:\S+)\n/.exec(output)?.[1] ?? '';
  await expect.poll(() => page(url)).toContain('<title>devnet</title>');
  expect(await tiny.json('status', 'ending')).toMatchObject({ dashboard: url, dashboardEnd: null });
  const record = join(tiny.home, 'ending', 'dashboards', `${new URL(url).port}.json`);
  const { process: dashboard } = JSON.parse(readFileSync(record, 'utf8')) as {
    readonly process: { readonly pid: number };
  };
  process.kill(dashboard.pid, 'SIGKILL');
  const expected = { phase: 'ready', dashboard: null, dashboardEnd: 'was ended by SIGKILL' };
  await expect.poll(() => tiny.json('status', 'ending')).toMatchObject(expected);
  expect((await tiny.run('status', 'ending')).stdout).toMatch(
    /^ {2}dashboard {2}was ended by SIGKILL; `devnet dashboard.*` serves it again$/m,
  );
  await tiny.run('stop', 'ending');
  expect(await tiny.json('status', 'ending')).toMatchObject({ dashboard: null, dashboardEnd: null });
  const again = tiny.start(['start', 'ending']);
  expect(await again.closed, again.stderr()).toEqual({ code: 0, signal: null });
  await expect.poll(() => page(url)).toContain('<title>devnet</title>');
  expect(await tiny.json('status', 'ending')).toMatchObject({ dashboard: url, dashboardEnd: null });
  await tiny.run('down', 'ending');
});

it('a start without `dashboard` serves none', async () => {
  expect(await up(tiny.spec('plain'))).not.toContain('dashboard');
  const plan = JSON.parse(readFileSync(join(tiny.home, 'plain', 'plan.json'), 'utf8')) as object;
  expect(plan).not.toHaveProperty('dashboard');
  expect(existsSync(join(tiny.home, 'plain', 'dashboard.log'))).toBe(false);
  await tiny.run('down', 'plain');
});

it('a dashboard shows the next devnet of its name after `down`, which its token does not open', async () => {
  const spec = tiny.spec('replaced');
  await up(spec);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(tiny.home, 'replaced', 'dashboard.token');
  const dashboard = tiny.start(['dashboard', 'replaced', '--port', String(port)]);
  await expect.poll(dashboard.stderr).toContain('shows replaced');
  const token = readFileSync(file, 'utf8').trim();
  const pause = async (authorization: string) => {
    const body = JSON.stringify({ kind: 'clock', action: 'pause' });
    const response = await fetch(`${url}/api/act`, { method: 'POST', body, headers: { authorization } });
    return { status: response.status, text: await response.text() };
  };
  expect(await tiny.json('status', 'replaced')).toMatchObject({ dashboard: `${url}/` });
  const down = await tiny.run('down', 'replaced');
  expect(down.code).toBe(0);
  await expect.poll(dashboard.stderr).toContain('replaced was taken down');
  expect(await pause(`Bearer ${token}`)).toMatchObject({
    status: 410,
    text: expect.stringContaining('replaced was taken down'),
  });
  expect((await fetch(`${url}/api/read/blocks?chain=main`)).status).toBe(410);
  const stream = await fetch(`${url}/api/stream`);
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('"gone"')) text += (await reader.read()).value ?? '';
  expect(text).toContain('replaced was taken down');
  expect(text).not.toContain('"kind":"picture"');
  await up(spec);
  await expect.poll(dashboard.stderr).toContain('replaced is up again');
  // The page that was open goes on by itself.
  while (!text.includes('"kind":"picture"')) text += (await reader.read()).value ?? '';
  await reader.cancel();
  expect((await fetch(`${url}/api/read/blocks?chain=main`)).status).toBe(200);
  expect(await tiny.json('status', 'replaced')).toMatchObject({ dashboard: `${url}/` });
  const next = readFileSync(file, 'utf8').trim();
  expect(next).not.toBe(token);
  expect((await pause(`Bearer ${token}`)).status).toBe(401);
  expect((await pause(`Bearer ${next}`)).status).toBe(200);
  dashboard.child.kill('SIGINT');
  expect((await dashboard.closed).code).toBe(130);
  expect(await tiny.json('status', 'replaced')).toMatchObject({ dashboard: null });
  await tiny.run('down', 'replaced');
});

it('a dashboard gives the private keys of accounts to requests with its token alone', async () => {
  const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const chain = `accounts: { mnemonic: "${mnemonic}", count: 2 }`;
  const output = await up(tiny.spec('secret', { top: 'dashboard: true', chain }));
  const url = / {2}dashboard {2}(http:\S+)\n/.exec(output)?.[1] ?? '';
  await expect.poll(() => page(url)).toContain('<title>devnet</title>');
  type Account = { readonly address: string; readonly privateKey?: string; readonly role?: string | null };
  const accounts = await tiny.json<readonly Account[]>('accounts', '--name', 'secret');
  const [first] = accounts.filter(({ role }) => !role);
  const ask = async (authorization: string) => {
    const body = JSON.stringify({ kind: 'keys', chain: 'main' });
    const response = await fetch(`${url}api/act`, { method: 'POST', body, headers: { authorization } });
    return { status: response.status, text: await response.text() };
  };
  const views = ['keys?chain=main', 'connect'].map((view) => page(`${url}api/read/${view}`));
  expect((await Promise.all(views)).join('')).not.toContain(first?.privateKey);
  expect(await ask('')).toMatchObject({ status: 401, text: expect.not.stringContaining(String(first?.privateKey)) });
  const token = readFileSync(join(tiny.home, 'secret', 'dashboard.token'), 'utf8').trim();
  const { status, text } = await ask(`Bearer ${token}`);
  expect(status).toBe(200);
  expect(JSON.parse(JSON.parse(text).done)).toMatchObject({ [String(first?.address)]: first?.privateKey });
  await tiny.run('down', 'secret');
});
