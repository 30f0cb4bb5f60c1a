import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { groupRuns, terminateGroup } from '../../../src/system/process/group.ts';
import { bootId, identify, stillRuns } from '../../../src/system/process/identity.ts';
import { markOf, withMark } from '../../../src/system/process/mark.ts';
import { type Child, startProcess } from '../../../src/system/process/process.ts';
import { descendants, processesWithTraces, sweep } from '../../../src/system/process/sweep.ts';
import { procTable, psTable, runs } from '../../../src/system/process/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-system-'));
const programs = resolve(import.meta.dirname, '../..', 'fixtures', 'programs');
const others: ChildProcess[] = [];
const started: Child[] = [];
afterAll(async () => {
  for (const child of others) child.kill('SIGKILL');
  for (const { group } of started) await terminateGroup(group, { signal: 'SIGKILL', graceMs: 0 }, AbortSignal.abort());
  rmSync(folder, { recursive: true, force: true });
});

let next = 0;
async function start(argv: readonly string[], env: Record<string, string> = {}, mark?: number) {
  const log = join(folder, `${next++}.log`);
  const child = await startProcess({
    argv,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    log,
    ...(mark === undefined ? {} : { mark }),
  });
  started.push(child);
  return {
    ...child,
    log,
    description: (pattern: RegExp) => expect.poll(() => readFileSync(log, 'utf8'), { interval: 5 }).toMatch(pattern),
  };
}

const patient = new AbortController().signal;

describe('a started process', () => {
  it('leads a group of its own and writes into its log, which only the owner reads', async () => {
    const child = await start(['/bin/sh', '-c', 'echo out; echo err >&2; exit 3']);
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(readFileSync(child.log, 'utf8')).toBe('out\nerr\n');
    expect(statSync(child.log).mode & 0o777).toBe(0o600);
    expect(child.group.id).toBe(child.pid);
  });

  it('gets its arguments and environment unchanged, without a shell', async () => {
    const odd = ['$(touch pwned)', '; rm -rf .', 'a\nb', '-rf', '*', '`id`'];
    const child = await start(
      [process.execPath, '-e', 'console.log(JSON.stringify([process.argv.slice(1), process.env.ODD]))', '--', ...odd],
      { ODD: '$(id)' },
    );
    await child.exited;
    expect(JSON.parse(readFileSync(child.log, 'utf8'))).toEqual([odd, '$(id)']);
  });

  it.each([
    ['/nowhere/program', 'program /nowhere/program not found', 'ENOENT'],
    [join(programs, 'exits-silently.mjs'), 'is not executable', 'EACCES'],
  ])('that cannot be started fails with the reason: %s', async (file, description, code) => {
    const failure = await start([file]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'spawn', exit: 4, data: { error: code } });
    expect(String((failure as Error).message)).toContain(description);
  });
});

describe('ending a group', () => {
  it('sends the signal of the program', async () => {
    const child = await start(['/bin/sleep', '1000']);
    expect(await terminateGroup(child.group, { signal: 'SIGTERM', graceMs: 2000 }, patient)).toBe('stopped');
    expect(groupRuns(child.group)).toBe(false);
    expect(await terminateGroup(child.group, { signal: 'SIGTERM', graceMs: 2000 }, patient)).toBe('gone');
  });

  it('repeats the signal, which ends a program that still waits', async () => {
    const child = await start([join(programs, 'waits-for-a-second-signal.sh')]);
    await child.description(/listening/);
    const stop = { signal: 'SIGINT', graceMs: 20_000 } as const;
    // Two signals that wait for a program that could not run between them count as one.
    expect(await terminateGroup(child.group, { ...stop, againMs: 1500 }, patient)).toBe('stopped');
  });

  it('waits for the whole grace period when the repeated signal would come after it', async () => {
    const child = await start([join(programs, 'ends-after-a-while.sh')]);
    await child.description(/listening/);
    const stop = { signal: 'SIGTERM', graceMs: 20_000 } as const;
    expect(await terminateGroup(child.group, { ...stop, againMs: 30_000 }, patient)).toBe('stopped');
  });

  it('kills a process that ignores the signal, and members that outlive their leader', async () => {
    const child = await start([join(programs, 'forks-a-child.sh')]);
    await child.description(/child \d+/);
    const grandchild = Number(/\d+/.exec(readFileSync(child.log, 'utf8'))?.[0]);
    expect(await terminateGroup(child.group, { signal: 'SIGTERM', graceMs: 400 }, patient)).toBe('killed');
    expect(runs(procTable.find(grandchild))).toBe(false);
  });

  it('counts a zombie as ended', async () => {
    // The child ends when its parent has become a program that never reaps.
    const last = "sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done'";
    const child = await start(['/bin/sh', '-c', `${last} & echo child $!; exec sleep 1000`]);
    await child.description(/child \d+/);
    const zombie = Number(/\d+/.exec(readFileSync(child.log, 'utf8'))?.[0]);
    await expect.poll(() => procTable.find(zombie)?.state, { interval: 5 }).toBe('Z');
    expect(runs(procTable.find(zombie))).toBe(false);
    await terminateGroup(child.group, { signal: 'SIGTERM', graceMs: 2000 }, patient);
  });

  it('spares a later process of the same number', async () => {
    const child = await start(['/bin/sleep', '1000']);
    const earlier = { id: child.pid, started: '1' };
    expect(groupRuns(earlier)).toBe(false);
    expect(await terminateGroup(earlier, { signal: 'SIGKILL', graceMs: 0 }, patient)).toBe('gone');
    expect(groupRuns(child.group)).toBe(true);
  });
});

describe('identity', () => {
  it('tells a process from a later one of its number and from one before a reboot', async () => {
    const child = await start(['/bin/sleep', '1000']);
    const identity = identify(child.pid)!;
    expect(stillRuns(identity)).toBe(true);
    expect(stillRuns({ ...identity, started: '1' })).toBe(false);
    expect(stillRuns({ ...identity, boot: 'another' })).toBe(false);
    expect(identity.boot).toBe(bootId());
    await terminateGroup(child.group, { signal: 'SIGKILL', graceMs: 0 }, AbortSignal.abort());
    expect(stillRuns(identity)).toBe(false);
  });
});

describe.each([
  ['/proc', procTable],
  ['ps', psTable],
])('the table of processes by %s', (_, table) => {
  it('lists this process with its parent, group, command and environment', async () => {
    const child = await start(['/bin/sleep', '1000'], { MARKED: 'yes' });
    expect(table.find(child.pid)).toMatchObject({
      pid: child.pid,
      parent: process.pid,
      group: child.pid,
      terminal: false,
    });
    expect(table.list().map(({ pid }) => pid)).toEqual(expect.arrayContaining([process.pid, child.pid]));
    expect(table.command(child.pid)).toBe('/bin/sleep 1000');
    expect(table.environment(child.pid)).toContain('MARKED=yes');
    expect(table.find(2 ** 22 + 1)).toBeUndefined();
  });

  it('finds descendants in any group, and processes with a stamp', async () => {
    const stamp = `DEVNET_NAME=${Math.random()}`;
    const child = await start([join(programs, 'setsid-child.sh')], { DEVNET_NAME: stamp.split('=')[1]! });
    await child.description(/child \d+/);
    const grandchild = Number(/\d+/.exec(readFileSync(child.log, 'utf8'))?.[0]);
    await expect.poll(() => procTable.find(grandchild)?.group, { interval: 5 }).toBe(grandchild);
    expect(descendants([child.pid], table).map(({ pid }) => pid)).toContain(grandchild);
    expect(
      processesWithTraces({ stamp: [stamp], descendants: [] }, table)
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual([child.pid, grandchild].sort());
    await sweep({ stamp: [stamp], descendants: [] });
    expect(processesWithTraces({ stamp: [stamp], descendants: [] }, table)).toEqual([]);
  });
});

describe('a sweep', () => {
  it('finds a daemon that gave up environment, session, parent, folder and streams, by the mark', async () => {
    const mark = markOf(folder);
    const child = await start([join(programs, 'daemonises.sh')], {}, mark);
    await child.description(/daemon \d+/);
    const daemon = Number(/\d+/.exec(readFileSync(child.log, 'utf8'))?.[0]);
    const since = procTable.find(process.pid)!.started;
    // The stamp spares devnets of other tests, which may have the same mark.
    const traces = { stamp: [`DEVNET_NAME=${folder}`], descendants: [], mark, since };
    expect(processesWithTraces(traces).map(({ pid }) => pid)).toContain(daemon);
    await sweep(traces);
    expect(runs(procTable.find(daemon))).toBe(false);
  });

  it("spares another devnet's processes of the same mark, also without their environment", async () => {
    const mark = markOf(folder);
    const since = procTable.find(process.pid)!.started;
    const ours = await start(['/bin/sleep', '1000'], { DEVNET_NAME: 'ours' }, mark);
    const other = await start(
      ['/bin/sh', '-c', 'env -i sleep 1000 & echo "child $!"; wait'],
      { DEVNET_NAME: 'other' },
      mark,
    );
    await other.description(/child \d+/);
    const child = Number(/\d+/.exec(readFileSync(other.log, 'utf8'))?.[0]);
    await expect.poll(() => procTable.environment(child), { interval: 5 }).toEqual(['']);
    expect(
      processesWithTraces({ stamp: ['DEVNET_NAME=ours'], descendants: [], mark, since }).map(({ pid }) => pid),
    ).toEqual([ours.pid]);
  });

  it('spares every process when each process of the machine has this mark', async () => {
    const mark = markOf(folder);
    const since = procTable.find(process.pid)!.started;
    await start(['/bin/sleep', '1000'], {}, mark);
    const traces = { stamp: ['DEVNET_NAME=third'], descendants: [], mark, since };
    expect(withMark(mark, () => processesWithTraces(traces))).toEqual([]);
  });

  it('spares a process that only reads in the folder or has a living parent', async () => {
    const reader = spawn('tail', ['-f', join(folder, '0.log')], { cwd: folder, stdio: 'ignore', detached: true });
    others.push(reader);
    expect(processesWithTraces({ stamp: [], descendants: [], folder }).map(({ pid }) => pid)).not.toContain(reader.pid);
  });

  it('spares a later process of a recorded number', async () => {
    const innocent = await start(['/bin/sleep', '1000']);
    await sweep({ stamp: [], descendants: [{ ...identify(innocent.pid)!, started: '1' }] });
    expect(groupRuns(innocent.group)).toBe(true);
  });
});
