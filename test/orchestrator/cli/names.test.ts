import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVNET_OPTIONS } from '../../../src/orchestrator/cli/input/devnet-options.ts';
import { COMMANDS } from '../../../src/orchestrator/cli/registry.ts';
import { ABOUT_NO_DEVNET } from '../../../src/orchestrator/devnet/told-commands.ts';
import { nameOfPath } from '../../../src/orchestrator/load/find-spec.ts';
import type { Status } from '../../../src/orchestrator/status/status.ts';
import { proseOfCode } from '../../writing/prose.ts';
import { root } from '../package.ts';
import { BUNDLE, type Outcome, Tiny } from './tiny.ts';

/** Of these, `other` is up. Each test says which devnet the folder's devnet.yaml names. */
let tiny: Tiny;
let up: string;
beforeAll(async () => {
  tiny = new Tiny();
  const { code, stderr } = await tiny.run('up', tiny.spec('other'), '-d');
  expect(code, stderr).toBe(0);
  up = stderr;
});
afterAll(() => tiny[Symbol.asyncDispose]());

/** Writes devnet.yaml of the folder, runs the work, and removes the file. */
async function inFolderOf(text: string, work: () => Promise<void>): Promise<void> {
  const file = join(tiny.folder, 'devnet.yaml');
  writeFileSync(file, text);
  try {
    await work();
  } finally {
    rmSync(file);
  }
}

/** Runs a command until its answer holds a text. */
async function untilIn(text: string, run: () => Promise<Outcome>): Promise<Outcome> {
  for (;;) {
    const outcome = await run();
    if (outcome.stdout.includes(text)) return outcome;
  }
}

const nameOf = async (...words: readonly string[]) => (await tiny.json<Status>('status', ...words)).name;

describe("a command in the folder of a devnet's spec", () => {
  it('uses no other devnet when that one is not up, and says so', async () => {
    await inFolderOf('name: here\n', async () => {
      for (const words of [['status'], ['stop'], ['wait', 'block:1'], ['logs'], ['node', 'stop', 'verifier']])
        await expect
          .poll(() => tiny.run(...words), { message: words.join(' ') })
          .toEqual({
            code: 2,
            stdout: '',
            stderr:
              'devnet: here, which ./devnet.yaml names, is not up\n' +
              '  run `devnet up` to start it, or name another one with --name: other (ready)\n',
          });
      expect(await tiny.run('down')).toEqual({ code: 0, stdout: '', stderr: 'there is no devnet here\n' });
    });
    expect(await nameOf()).toBe('other');
  });

  it.each([
    ['its name', 'name: other\n'],
    ['its name in a flow map with a comment', '{ "name": "other" } # not ours\n'],
    ['the name of its base', 'base: ./other.yaml\n'],
  ])('uses the devnet of %s when several are up', async (_, text) => {
    expect(await tiny.run('up', tiny.spec('second'), '-d')).toMatchObject({ code: 0 });
    await inFolderOf(text, async () => {
      expect(await nameOf()).toBe('other');
      expect(await nameOf('--name', 'second')).toBe('second');
      tiny.env['DEVNET_NAME'] = 'second';
      expect(await nameOf()).toBe('second');
      expect(await nameOf('--name', 'other')).toBe('other');
      tiny.env['DEVNET_NAME'] = '';
      expect(await nameOf()).toBe('other');
      delete tiny.env['DEVNET_NAME'];
    });
    for (const words of [['status'], ['wait', 'ready']])
      await expect
        .poll(() => tiny.run(...words))
        .toMatchObject({
          code: 2,
          stderr:
            'devnet: several devnets exist: other (ready), second (ready)\n' +
            '  select one with --name NAME or DEVNET_NAME\n',
        });
    expect(await tiny.run('down', 'second')).toMatchObject({ code: 0 });
  });

  it('uses the devnet that is called after the folder when its spec has no name', async () => {
    await inFolderOf('version: 1\n', async () => {
      const name = nameOfPath(join(tiny.folder, 'devnet.yaml'));
      expect(await tiny.run('status')).toMatchObject({ code: 2, stderr: expect.stringContaining(`devnet: ${name}, `) });
    });
  });

  it('uses no devnet when the spec cannot be read, and says why', async () => {
    await inFolderOf('name: [other\n', async () => {
      expect(await tiny.run('status')).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^devnet: cannot tell which devnet \.\/devnet\.yaml names: .*not YAML/),
      });
      expect(await nameOf('--name', 'other')).toBe('other');
      expect(await tiny.run('ls')).toMatchObject({ code: 0 });
    });
  });
});

describe('--name', () => {
  it.each([
    [['--name', 'other', 'status']],
    [['-n', 'other', 'status']],
    [['--name=other', 'status']],
    [['-nother', 'status']],
    [['status', '--name', 'other']],
    [['--name', 'other', 'node', 'resume', 'verifier']],
    [['node', '--name', 'other', 'resume', 'verifier']],
    [['node', 'resume', '--name', 'other', 'verifier']],
    [['--name', 'other', 'status', 'other']],
  ])('names the devnet in %j', async (words) => {
    await inFolderOf('name: here\n', async () => expect(await tiny.run(...words)).toMatchObject({ code: 0 }));
  });

  it('is an error when there is no such devnet, but for down', async () => {
    for (const words of [['status'], ['node', 'stop', 'verifier'], ['ls'], ['snapshot', 'ls'], ['dashboard'], ['plan']])
      for (const line of [
        ['--name', 'nope', ...words],
        [...words, '--name', 'nope'],
      ])
        await expect
          .poll(() => tiny.run(...line), { message: line.join(' ') })
          .toMatchObject({
            code: 2,
            stdout: '',
            stderr: expect.stringMatching(/^devnet: unknown devnet nope; expected one of other \(ready\)\n/),
          });
    for (const line of [
      ['down', 'nope'],
      ['down', '--name', 'nope'],
      ['--name', 'nope', 'down'],
    ])
      expect(await tiny.run(...line)).toEqual({ code: 0, stdout: '', stderr: 'there is no devnet nope\n' });
  });

  it('is an error when it is given twice with different values, or without one', async () => {
    expect(await tiny.run('--name', 'other', 'status', '--name', 'nope')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('two devnets are named: other and nope'),
    });
    expect(await tiny.run('--name')).toMatchObject({ code: 2, stderr: expect.stringContaining('--name') });
  });

  it('limits ls to one devnet', async () => {
    expect(await tiny.run('up', tiny.spec('second'), '-d')).toMatchObject({ code: 0 });
    expect((await tiny.json<readonly Status[]>('ls', '--name', 'other')).map(({ name }) => name)).toEqual(['other']);
    expect(await tiny.run('down', 'second')).toMatchObject({ code: 0 });
  });
});

describe('the commands in a message', () => {
  it('name the devnet when they would not mean it otherwise', async () => {
    expect(up).toContain('`eval "$(devnet env)"` exports all addresses; `devnet status` shows the heads\n');
    await inFolderOf('name: here\n', async () => {
      const { stderr } = await tiny.run('up', tiny.spec('second'), '-d');
      expect(stderr).toContain('`devnet accounts --name second` lists them');
      expect(stderr).toContain('`eval "$(devnet env --name second)"` exports all addresses;');
      expect(stderr).toContain('`devnet status --name second` shows the heads\n');
      expect(await tiny.run('stop', 'second')).toMatchObject({ code: 0 });
      expect((await tiny.run('node', 'stop', 'verifier', '--name', 'second')).stderr).toContain(
        '`devnet start second`',
      );
    });
    expect(await tiny.run('down', 'second')).toMatchObject({ code: 0 });
  });

  it('name the devnet on stdout, too, and stand in a document as they are', async () => {
    expect(await tiny.run('up', tiny.spec('second'), '-d')).toMatchObject({ code: 0 });
    await tiny.run('node', 'pause', 'verifier', '--name', 'second');
    await inFolderOf('name: here\n', async () => {
      const { stdout } = await untilIn('`devnet node resume', () => tiny.run('status', 'second'));
      expect(stdout).toMatch(/`devnet node resume main\/verifier\/[ce]l --name second` lets it go on/);
      expect((await tiny.run('status', 'second', '--json')).stdout).toMatch(
        /`devnet node resume main\/verifier\/[ce]l`/,
      );
    });
    expect(await tiny.run('down', 'second')).toMatchObject({ code: 0 });
  });

  it('run as they are in a shell that started it by npx, by its path or by its name', async () => {
    const project = join(tiny.folder, 'project');
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
    symlinkSync(BUNDLE, join(project, 'node_modules/.bin/devnet'));
    const shell = (cwd: string, line: string, PATH = process.env['PATH'] ?? '') =>
      spawnSync('sh', ['-c', line], { cwd, encoding: 'utf8', env: { ...tiny.env, PATH } });
    const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.endsWith('node_modules/.bin'));
    for (const [line, called, PATH] of [
      ['npx devnet', 'npx devnet', path],
      [BUNDLE, 'npx devnet', path],
      ['devnet', 'devnet', [join(project, 'node_modules/.bin'), ...path]],
    ] as const) {
      const { stderr } = shell(project, `${line} stat`, PATH.join(':'));
      expect(stderr).toBe(
        'devnet: unknown command "stat" (did you mean start?)\n' + `  run \`${called} --help\` for the list\n`,
      );
    }
    const answer = (words: string) => shell(project, `npx devnet ${words}`, path.join(':')).stdout;
    expect(answer('explain account')).toContain('`npx devnet accounts` lists them');
    expect(answer('--help')).toContain('run `npx devnet COMMAND --help`');
    expect(answer('env --help')).toMatch(
      /^Usage: npx devnet env [\s\S]*\n {2}eval "\$\(npx devnet env\)"\n {2}npx devnet env --format dotenv\n/,
    );
    expect(answer('completion bash')).toContain('source <(devnet completion bash)');
    const { stderr } = shell(tiny.folder, `${BUNDLE} stat`, path.join(':'));
    const [, hint = ''] = /run `(.*)` for the list/.exec(stderr) ?? [];
    expect(shell(tiny.folder, hint, path.join(':'))).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^devnet: /),
    });
  });

  it('stand in backticks in all messages, so that they are found', () => {
    const commands = Object.keys(COMMANDS).map((name) => name.split(' ')[0]);
    const loose = new RegExp(
      `(?<![\`(\\w-]|\\ba |which )devnet (${commands.join('|')})\\b(?! (is|are|in|of|to|was|that|runs|took)\\b)`,
    );
    const examples = /^(devnet |# devnet completion )/;
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const mentions = files
      .filter((file) => /^(launch|library|orchestrator|rpc|system)\/.*\.ts$/.test(file))
      .flatMap((file) =>
        proseOfCode(file, readFileSync(join(root, 'src', file), 'utf8'))
          .filter(({ kind, text }) => kind === 'message' && !examples.test(text) && loose.test(text))
          .map(({ line, text }) => `${file}:${line} ${text}`),
      );
    expect(mentions).toEqual([]);
  });

  it('are known to be about a devnet or not', async () => {
    const all = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
    const without = all.filter(({ options }) => !options.includes(DEVNET_OPTIONS[0]!)).map(({ name }) => name);
    expect(without.toSorted()).toEqual([...ABOUT_NO_DEVNET].toSorted());
  });
});
