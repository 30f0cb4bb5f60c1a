import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/system/program/entry.ts';
import { freePort } from '../../system/free-port.ts';
import { leftovers } from '../supervisor/supervised.ts';
import { Tiny } from './tiny.ts';

/** Returns what a descriptor is open on; empty if it has closed since its folder was read. */
function openFile(descriptor: string): string[] {
  try {
    return [readlinkSync(descriptor)];
  } catch {
    return [];
  }
}

/** Returns the TCP ports on which a process listens. */
function listening(pid: number): string[] {
  const files = new Set(readdirSync(`/proc/${pid}/fd`).flatMap((fd) => openFile(`/proc/${pid}/fd/${fd}`)));
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
  );
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && files.has(`socket:[${inode}]`))
    .map(([, address = '']) => address);
}

/** Returns the environment of a process; empty if it has ended, as a command that has answered does. */
function environment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch (error) {
    if (/ENOENT|ESRCH/.test(String(error))) return '';
    throw error;
  }
}

/** Lets a command go on that waits for its debugger, as Node does before any code of a program. */
async function letGoOn(stderr: () => string): Promise<void> {
  const address = /ws:\/\/\S+/;
  await expect.poll(stderr).toMatch(address);
  const debug = new WebSocket(address.exec(stderr())![0]);
  await once(debug, 'open');
  debug.send(JSON.stringify({ id: 1, method: 'Runtime.runIfWaitingForDebugger' }));
  await once(debug, 'message');
  debug.close();
}

/** A folder for devnets whose commands have no proxy but the given one. */
function behind(proxy: Readonly<Record<string, string>>): Tiny {
  const tiny = new Tiny();
  for (const name of Object.keys(tiny.env)) if (/_proxy$/i.test(name)) delete tiny.env[name];
  Object.assign(tiny.env, proxy);
  return tiny;
}

interface Status {
  readonly supervisor: number;
  readonly phase: string;
}

describe('a network and the environment of the command that starts it', () => {
  it('becomes ready when a hook of NODE_OPTIONS prints to standard output', async () => {
    await using tiny = new Tiny();
    const hook = join(tiny.folder, 'noisy.cjs');
    writeFileSync(
      hook,
      `process.stdout.write('noise without an end of line, then one\\n{"event":"end","code":7}\\n');`,
    );
    tiny.env['NODE_OPTIONS'] = `--require ${hook}`;
    const up = tiny.start(['up', tiny.spec('noisy'), '-d']);
    expect({ ...(await up.closed), stderr: up.stderr() }).toMatchObject({ code: 0 });
    await tiny.ready();
    const down = tiny.start(['down']);
    expect((await down.closed).code).toBe(0);
  });

  it.each(['--inspect=127.0.0.1:0', '--inspect-brk=127.0.0.1:0', '--cpu-prof'])(
    'has %s of NODE_OPTIONS in none of its processes, and waits for no debugger of them',
    async (option) => {
      await using tiny = new Tiny();
      const profiles = join(tiny.folder, 'profiles');
      mkdirSync(profiles);
      tiny.env['NODE_OPTIONS'] = option === '--cpu-prof' ? `${option} --cpu-prof-dir=${profiles}` : option;
      const up = tiny.start(['up', tiny.spec('inspected', { senders: '' }), '-d']);
      if (option.startsWith('--inspect-brk')) await letGoOn(up.stderr);
      expect({ ...(await up.closed), stderr: up.stderr() }).toMatchObject({ code: 0 });
      const { supervisor } = await tiny.json<Status>('status');
      expect(listening(supervisor)).toEqual([]);
      expect(environment(supervisor)).toContain('DEVNET_HOME=');
      const pids = leftovers(tiny.home).map((line) => Number(line.split(' ')[0]));
      expect(pids).toContain(supervisor);
      for (const pid of pids) expect(environment(pid)).not.toContain(option);
      expect(up.stderr().match(/Debugger listening/g) ?? []).toHaveLength(option === '--cpu-prof' ? 0 : 1);
      expect(await tiny.run('down')).toMatchObject({ code: 0 });
      // The profile of the command itself.
      expect(readdirSync(profiles)).toHaveLength(option === '--cpu-prof' ? 1 : 0);
    },
  );

  it.each(['HTTP_PROXY', 'http_proxy'])('is reached directly when %s names a proxy that is dead', async (name) => {
    const proxy = `http://127.0.0.1:${await freePort()}`;
    await using tiny = behind({ NODE_USE_ENV_PROXY: '1', [name]: proxy, NO_PROXY: 'example.org' });
    const up = tiny.start(['up', tiny.spec('proxied'), '-d']);
    expect({ ...(await up.closed), stderr: up.stderr() }).toMatchObject({ code: 0 });
    await tiny.ready();
    const status = tiny.start(['status', '--json']);
    expect((await status.closed).code).toBe(0);
    expect(JSON.parse(status.stdout())).toMatchObject({
      phase: 'ready',
      chains: [{ nodes: [{ heads: { unsafe: {} } }, {}] }],
    });
  });

  it('is reached directly by the clients of the library, and by a command of exec', async () => {
    const proxy = `http://127.0.0.1:${await freePort()}`;
    await using tiny = behind({ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy });
    const library = pathToFileURL(join(packageRoot(), 'dist', 'library', 'index.mjs')).href;
    const program = `const net = await (await import('${library}')).connect();
      console.log(await net.l1.public.getChainId());
      console.log((await (await fetch(process.env.DEVNET_L1_RPC_URL, { method: 'POST', body: '{}' })).status) > 0);`;
    const argv = [process.execPath, '--input-type=module', '-e', program];
    const exec = tiny.start(['exec', tiny.spec('proxied'), '--', ...argv]);
    expect({ ...(await exec.closed), out: exec.stdout() }).toMatchObject({ code: 0, out: '900\ntrue\n' });
  });

  it('has its proxy named by doctor', async () => {
    await using tiny = behind({ HTTPS_PROXY: 'http://me:secret@proxy.test:3128', NO_PROXY: 'example.org' });
    const { stdout } = await tiny.run('doctor');
    expect(stdout).toContain('HTTPS_PROXY=http://…@proxy.test:3128: other programs (cast, forge, fetch) ask it');
    tiny.env['NO_PROXY'] = 'example.org, 127.0.0.1';
    expect((await tiny.run('doctor')).stdout).not.toContain('proxy.test');
  });
});
