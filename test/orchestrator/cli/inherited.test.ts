import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Tiny } from './tiny.ts';

/** Returns the TCP ports on which a process listens. */
function listening(pid: number): string[] {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`)));
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
  );
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(`socket:[${inode}]`))
    .map(([, address = '']) => address);
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
    expect((await tiny.json<Status>('status')).phase).toBe('ready');
    const down = tiny.start(['down']);
    expect((await down.closed).code).toBe(0);
  });

  it('opens no debugger in its supervisor when NODE_OPTIONS has --inspect', async () => {
    await using tiny = new Tiny();
    tiny.env['NODE_OPTIONS'] = '--inspect=127.0.0.1:0';
    const up = tiny.start(['up', tiny.spec('inspected'), '-d']);
    expect(await up.closed).toMatchObject({ code: 0 });
    expect(listening((await tiny.json<Status>('status')).supervisor)).toEqual([]);
  });
});
