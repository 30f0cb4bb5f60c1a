import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { Home, rpc } from './devnet.ts';

it('a pool serves a network for each worker, and kill -9 of it ends them all', async () => {
  await using home = new Home();
  const spec = home.spec('pooled', { time: { clock: 'instant' }, chains: { main: { proposer: false } } });
  const pool = home.start('pool', spec, '--port', '0', '--limit', '2');
  let [url = '', errors = ''] = ['', ''];
  pool.stdout?.setEncoding('utf8').on('data', (part: string) => (url += part));
  pool.stderr?.setEncoding('utf8').on('data', (part: string) => (errors += part));
  await vi.waitFor(() => expect(url, errors).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/), { timeout: 120_000 });
  const ask = async (path: string) => {
    const response = await fetch(`${url.trim()}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const started = async (path: string) => {
    const { status, text } = await ask(path);
    expect(status, `${text}${errors}`).toBe(200);
    return JSON.parse(text) as Record<string, string>;
  };
  const [one, same, two] = await Promise.all(['/gw0/start', '/gw0/start', '/gw1/start'].map(started));
  expect(same).toEqual(one);
  expect(two?.['DEVNET_NAME']).not.toBe(one?.['DEVNET_NAME']);
  for (const env of [one, two]) expect(await rpc(env?.['DEVNET_L2_RPC_URL'] ?? '', 'eth_chainId')).toBe('0x385');
  expect((await home.devnet('env', one?.['DEVNET_NAME'] ?? '', '--json')).stdout).toBe((await ask('/gw0/start')).text);
  expect((await ask('/gw0/logs')).text).toMatch(/^main\/sequencer\/el {2}/m);
  expect((await ask('/gw2/start')).status).toBe(429);
  expect((await ask('/gw0/stop')).text).toContain('true');
  const third = await started('/gw0/restart');
  expect(third['DEVNET_NAME']).not.toBe(one?.['DEVNET_NAME']);
  expect(home.leftovers().length).toBeGreaterThan(8);
  pool.kill('SIGKILL');
  await once(pool, 'exit');
  await vi.waitFor(() => expect(home.leftovers()).toEqual([]), { timeout: 120_000, interval: 20 });
});

it('a wrong spec, a taken port and a program that is absent end a pool before it serves', async () => {
  await using home = new Home();
  const bad = await home.process('pool', home.spec('bad', { chains: { main: { blockTim: 1 } } }));
  expect(bad).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('blockTim') });
  expect(await home.process('pool', '--limit', '0')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--limit/),
  });
  expect(await home.process('pool', '--', './no-such-program')).toMatchObject({ code: 4, stdout: '' });
  const command = 'test "$DEVNET_POOL_URL" && exit 7';
  expect(await home.process('pool', '--port', '0', '--', 'sh', '-c', command)).toMatchObject({ code: 7, stdout: '' });
});
