import { execFileSync, spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { findCommand, main, parserOf } from '../../../src/orchestrator/cli/cli.ts';
import { GROUPS } from '../../../src/orchestrator/cli/input/command.ts';
import { COMMANDS } from '../../../src/orchestrator/cli/registry.ts';
import { branches, type JsonSchema, jsonSchemaOf } from '../../../src/orchestrator/spec/schema/json-schema.ts';
import { specSchema } from '../../../src/orchestrator/spec/schema/spec.ts';
import { FAILURE_CODES } from '../../../src/system/failure-codes.ts';
import { blocksOf, commandsOf, devnetLines, PAGES } from '../../writing/blocks.ts';

const definitions = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));

/** Runs a command line in this process. */
async function devnet(...argv: string[]) {
  return onTerminal(undefined, ...argv);
}

/** Runs a command line in this process, on a terminal of so many columns. */
async function onTerminal(columns: number | undefined, ...argv: string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const io = {
    stdout: (text: string) => void out.push(text),
    stderr: (text: string) => void errors.push(text),
    ...{ env: {}, cwd: '/', isTty: false, columns: () => columns },
  };
  const code = await main(argv, io);
  return { code, stdout: out.join(''), stderr: errors.join('') };
}

it('a command has the name of its path', () => {
  expect(definitions.map(({ name }) => name)).toEqual(Object.keys(COMMANDS));
});

describe('the list of commands', () => {
  it('has each command once, below the title of its group', async () => {
    const { code, stdout } = await devnet('--help');
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}(\S+(?: \S+)?) {2}/gm)].map(([, name]) => name!);
    expect(listed.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
    expect([...stdout.matchAll(/^(\S.*):$/gm)].map(([, title]) => title)).toEqual(GROUPS);
    expect(stdout).toMatch(/YAML file\n\nrun a network:\n/);
  });

  it('has commands of one word before those of two, each by the alphabet, below a title', async () => {
    const { stdout } = await devnet('--help');
    const names = (title: string) => {
      const [, list = ''] = new RegExp(`^${title}:\n([^]*?)\n\n`, 'm').exec(stdout) ?? [];
      return [...list.matchAll(/^ {2}(\S+(?: \S+)?) {2}/gm)].map(([, name]) => name!);
    };
    expect(names('look at a network')).toEqual([
      ...['accounts', 'dashboard', 'env', 'games', 'logs', 'ls', 'metrics', 'status', 'wait', 'watch'],
      ...['conductor status', 'fault ls'],
    ]);
    const changes = names('change a network');
    expect(changes.slice(0, 5)).toEqual(['fork', 'pause', 'resume', 'warp', 'batcher start']);
    expect(changes.filter((name) => name.includes(' '))).toEqual(changes.slice(4).toSorted());
  });

  it('breaks no word and no command on a terminal of 80 columns', async () => {
    const { stdout } = await onTerminal(80, '--help');
    const lines = stdout.split('\n');
    expect(lines.filter(({ length }) => length > 80)).toEqual([]);
    const summary =
      "move the network's clock forward, slot by slot: every block in between is built, posted and derived";
    expect(stdout.replaceAll(/\n {22}(?=\S)/g, ' ')).toContain(`  warp                ${summary}\n`);
  });

  it('has those of two words, below their title', async () => {
    const { stdout } = await devnet('node', '--help');
    expect(stdout).toContain('\nchange a network:\n  node add  ');
    expect(stdout).not.toContain('snapshot');
  });
});

describe.each(definitions)('the help of $name', (definition) => {
  it('has examples that the command accepts, and the exit codes', async () => {
    const { code, stdout } = await devnet(...definition.name.split(' '), '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples:\n {2}\S[\s\S]*Exits with:\n {2}0 {4}done\n/);
    for (const example of definition.examples) {
      expect(stdout).toContain(`  ${example}\n`);
      const [, line = ''] = /devnet (.*?)\)?"?$/.exec(example.replace(/ > .*$/, '')) ?? [];
      expect(line.startsWith(definition.name)).toBe(true);
      if (line.endsWith('--help')) continue;
      const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
      for (const { syntax } of definition.arguments) command.argument(syntax);
      for (const { flags } of definition.options) command.option(flags);
      const [commandLine = ''] = line.split(' -- ');
      const words = commandLine.slice(definition.name.length).trim().split(' ').filter(Boolean);
      expect(() => command.parse(words, { from: 'user' })).not.toThrow();
    }
  });
});

describe('command lines of README and docs', () => {
  /** Returns what a command line has wrong; undefined if its command takes it. */
  async function faultOf(words: readonly string[]): Promise<string | undefined> {
    const [name = '', load] = findCommand(words) ?? [];
    if (load === undefined) return 'no such command';
    const commandWords = words.slice(name.split(' ').length);
    const end = commandWords.indexOf('--');
    try {
      const parser = await parserOf((await load()).command, () => undefined);
      parser.parse(end < 0 ? commandWords : commandWords.slice(0, end), { from: 'user' });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  it('have commands and options that exist', async () => {
    const lines = PAGES.flatMap((page) => blocksOf(page).flatMap(commandsOf)).flatMap(devnetLines);
    expect(lines.length).toBeGreaterThan(120);
    const faults = await Promise.all(lines.map(async (words) => [words.join(' '), await faultOf(words)] as const));
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
  });

  it('are reported with their fault', async () => {
    const line = 'eval "$(npx devnet env --json)"; npx devnet chek | cat   # devnet up';
    expect(devnetLines(line)).toEqual([['env', '--json'], ['chek']]);
    expect(await faultOf(['chek'])).toBe('no such command');
    expect(await faultOf(['check', '--expain'])).toContain('unknown option');
    expect(await faultOf(['node', 'restart', 'verifier', '--override', 'isthmus=+60s'])).toBe(undefined);
  });
});

describe('completion', () => {
  /** Lists what bash offers for the last of these words. */
  function offered(script: string, ...words: string[]): readonly string[] {
    const line = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(devnet ${line}); COMP_CWORD=${words.length}; _devnet; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['--norc', '-c', `${script}\n${ask}`];
    return execFileSync('bash', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  }

  const hasFish = spawnSync('fish', ['--version']).status === 0;

  /** Lists what fish offers for the last of these words. */
  function offeredByFish(script: string, ...words: string[]): readonly string[] {
    const args = ['--no-config', '-c', `${script}\ncomplete -C '${['devnet', ...words].join(' ')}'`];
    return execFileSync('fish', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  }

  const OFFERS: readonly (readonly [string, string[], string[]])[] = [
    ['a command', ['che'], ['check']],
    ['the second word of a command', ['node', 're'], ['remove', 'reset', 'restart', 'resume']],
    ['an option', ['check', '--e'], ['--explain']],
    ['an option of a command of two words', ['node', 'restart', '--over'], ['--override']],
    ['a value of an option', ['load', '--kind', 'er'], ['erc20']],
    ['a sample', ['up', 'fork'], ['fork-drill']],
    ['a scenario', ['run', 'missed'], ['missed-fork']],
    ['a shell', ['completion', 'z'], ['zsh']],
    ['nothing', ['check', 'zzz'], []],
  ];

  it.each(OFFERS)('offers %s in bash', async (_, words, expected) => {
    const { stdout } = await devnet('completion', 'bash');
    expect(offered(stdout, ...words).toSorted()).toEqual(expected);
  });

  it.skipIf(!hasFish).each(OFFERS)('offers %s in fish, if it is installed', async (_, words, expected) => {
    const { stdout } = await devnet('completion', 'fish');
    expect(offeredByFish(stdout, ...words).toSorted()).toEqual(expected);
  });

  it.each(['zsh', 'fish'])('names every command for %s', async (shell) => {
    const { stdout } = await devnet('completion', shell);
    for (const { name } of definitions) for (const word of name.split(' ')) expect(stdout).toContain(word);
  });

  it('refuses another shell', async () => {
    expect(await devnet('completion', 'csh')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('explain', () => {
  it.each([
    ['chains.main.batcher.da', /value: calldata \| blobs\n {2}default: "calldata"/],
    ['blockTime', /^l1\.blockTime\n[\s\S]*^chains\.NAME\.blockTime$/m],
    ['3', /^exit code 3: not ready/],
    ['port', /^error code port: A port is taken/],
  ])('explains %s', async (word, expected) => {
    const { code, stdout } = await devnet('explain', word);
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  });

  it.each(Object.entries(FAILURE_CODES))('has the text of the error code %s', async (word, text) => {
    const { code, stdout, stderr } = await devnet('explain', word);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(`error code ${word}: ${text}`);
  });

  it('knows the code that a failing command prints', async () => {
    const { code, stderr } = await devnet('ls');
    expect(code).toBe(4);
    const word = /`devnet explain (\S+)`/.exec(stderr)?.[1] ?? '';
    expect(await devnet('explain', word)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^error code home: /),
    });
  });

  it('names the nearest key to one that does not exist', async () => {
    const { code, stderr } = await devnet('explain', 'blokTime');
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean blockTime?');
  });

  it('has a text for every key of the spec', () => {
    expect(undescribed(jsonSchemaOf(specSchema), [])).toEqual([]);
  });
});

/** Lists the paths of the keys without a description. */
function undescribed(schema: JsonSchema, path: readonly string[]): readonly string[] {
  return branches(schema).flatMap(({ properties = {}, additionalProperties }) => [
    ...Object.entries(properties).flatMap(([key, value]) => [
      ...([value, ...branches(value)].some(({ description }) => description !== undefined)
        ? []
        : [[...path, key].join('.')]),
      ...undescribed(value, [...path, key]),
    ]),
    ...(typeof additionalProperties === 'object' ? undescribed(additionalProperties, [...path, 'NAME']) : []),
  ]);
}
