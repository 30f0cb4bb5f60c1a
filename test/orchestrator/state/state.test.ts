import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endLeftovers } from '../../../src/orchestrator/folder/devnet-folder.ts';
import { controlSocket, homeFolder, pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { readState, STATE_SCHEMA, type State, writeState } from '../../../src/orchestrator/state/state.ts';
import { groupRuns, terminateGroup } from '../../../src/system/process/group.ts';
import { bootId } from '../../../src/system/process/identity.ts';
import { startProcess } from '../../../src/system/process/process.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, temporaryHome } from '../supervisor/fixture-plan.ts';
import { leftovers, Supervised } from '../supervisor/supervised.ts';

const state: State = {
  schema: STATE_SCHEMA,
  name: 'one',
  phase: 'ready',
  supervisor: { pid: 1, started: '1', boot: 'b' },
  startedAt: 1,
  stamps: { parsed: 1 },
  tasks: { 'main/a/el': { phase: 'ready', restarts: 0, process: { pid: 2, started: '2', boot: 'b' } } },
  orphans: [],
  clock: { at: 0, wall: 0, rate: 1 },
  problems: [],
};

describe('the state file', () => {
  it('reads back what was written', () => {
    using folder = temporaryHome();
    const path = join(folder.home, 'state.json');
    writeState(path, state);
    expect(readState(path)).toEqual({ kind: 'state', state });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('truncated anywhere is moved aside and never read in part', () => {
    using folder = temporaryHome();
    const text = JSON.stringify(state);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length - 1 }), (length) => {
        const path = join(folder.home, 'state.json');
        writeFileSync(path, text.slice(0, length));
        const file = readState(path);
        expect(file.kind).toBe('corrupt');
        expect(readFileSync((file as { movedTo: string }).movedTo, 'utf8')).toBe(text.slice(0, length));
        expect(readState(path).kind).toBe('none');
      }),
    );
  });

  it('of another version is reported as such', () => {
    using folder = temporaryHome();
    const path = join(folder.home, 'state.json');
    writeFileSync(path, JSON.stringify({ ...state, schema: STATE_SCHEMA + 1 }));
    expect(readState(path)).toEqual({ kind: 'version', schema: STATE_SCHEMA + 1 });
    expect(readdirSync(folder.home).filter((name) => name.startsWith('state'))).toEqual(['state.json']);
  });
});

describe('leftovers', () => {
  it('are never found by a pid alone: a later process of that number survives', async () => {
    using folder = temporaryHome();
    const paths = pathsOf(folder.home, 'one');
    mkdirSync(paths.folder);
    const innocent = await startProcess({ argv: ['/bin/sleep', '1000'], cwd: '/', env: {}, log: '/dev/null' });
    const identity = { pid: innocent.pid, started: '1', boot: bootId() };
    writeState(paths.state, {
      ...state,
      supervisor: { ...state.supervisor, boot: bootId() },
      orphans: [identity],
      tasks: { odd: { phase: 'ready', restarts: 0, process: identity } },
    });
    await endLeftovers(paths);
    expect(groupRuns(innocent.group)).toBe(true);
    await terminateGroup(innocent.group, { signal: 'SIGKILL', graceMs: 0 }, AbortSignal.abort());
  });
});

describe('paths', () => {
  it.each(['../evil', 'a/b', '', 'UPPER', '-dash', 'a\0b', 'ünï', 'x'.repeat(40), '.', '..'])(
    '%j cannot be a name',
    (name) => {
      expect(() => pathsOf('/home', name)).toThrow(expect.objectContaining({ code: 'name', exit: 2 }));
    },
  );

  it('a control socket fits into a socket address wherever the home is', () => {
    expect(controlSocket('/short')).toBe('/short/control.sock');
    const long = controlSocket(`/${'deep/'.repeat(40)}`);
    expect(Buffer.byteLength(long)).toBeLessThan(104);
    expect(controlSocket(`/${'deep/'.repeat(41)}`)).not.toBe(long);
  });

  it.each([
    [{ DEVNET_HOME: '/a', XDG_STATE_HOME: '/b', HOME: '/c' }, '/a'],
    [{ XDG_STATE_HOME: '/b', HOME: '/c' }, '/b/devnet'],
    [{ HOME: '/c' }, '/c/.local/state/devnet'],
  ])('%j keeps its state in %s', (env, home) => {
    expect(homeFolder(env)).toBe(home);
  });

  it('fail without any of the variables', () => {
    expect(() => homeFolder({})).toThrow(expect.objectContaining({ exit: 4 }));
  });
});

it('a home with a path longer than a socket address works', async () => {
  using folder = temporaryHome();
  const home = join(folder.home, 'x'.repeat(150));
  mkdirSync(home);
  await using supervised = new Supervised(home);
  await supervised.up(fixturePlan(home, 'far', [{ port: await freePort() }])).phase('ready');
  supervised.order({ kind: 'interrupt' });
  expect((await supervised.end()).code).toBe(130);
  expect(leftovers(home)).toEqual([]);
  expect(() => statSync(pathsOf(home, 'far').control)).toThrow();
});

it('permissions hold under any umask', async () => {
  using folder = temporaryHome();
  chmodSync(folder.home, 0o777);
  const before = process.umask(0);
  try {
    await using supervised = new Supervised(folder.home);
    const plan = fixturePlan(folder.home, 'open', [{ port: await freePort() }]);
    await supervised.up(plan).phase('ready');
    const { folder: devnetFolder } = pathsOf(folder.home, 'open');
    const modes = readdirSync(devnetFolder, { recursive: true, encoding: 'utf8' }).map(
      (name) => [name, statSync(join(devnetFolder, name)).mode & 0o077] as const,
    );
    expect(modes.filter(([, mode]) => mode !== 0)).toEqual([]);
    expect(modes.length).toBeGreaterThan(5);
  } finally {
    process.umask(before);
  }
});
