import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL_OPTIONS } from '../../../../src/nodes/rollup/options/index.ts';
import { UNSUPPORTED_OPTIONS } from '../../../../src/nodes/rollup/options/unsupported.ts';
import { FORKS } from '../../../../src/protocol/forks/index.ts';
import type { OptionSpec } from '../../../../src/system/program/options.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const FILE = join(root, 'docs', 'rollup-node-options.md');
/** The page up to its first row, which is written by hand. */
const HEAD = readFileSync(FILE, 'utf8').split('| `')[0]!;
const specs: readonly OptionSpec[] = Object.values(ALL_OPTIONS);
const refused = new Map(Object.values(UNSUPPORTED_OPTIONS).map(({ name, reason }) => [name, reason]));

/** Returns the columns that the option defines. */
function columnsOf(spec: OptionSpec): string[] {
  const fallback = spec.defaultText ?? (Array.isArray(spec.default) ? spec.default.join(',') : spec.default);
  const reason = refused.get(spec.name);
  return [
    `\`${spec.name}\``,
    `\`${spec.env ?? ''}\``,
    fallback === undefined || fallback === '' ? 'none' : `\`${fallback}\``,
    (reason === undefined ? spec.help : `refused at any other value: ${reason}`).replaceAll('|', '\\|'),
  ];
}

/** Test files of the rollup node, those of single options first. */
const TESTS = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(nodes\/rollup|e2e)\/.*\.test\.ts$/.test(file) && !file.endsWith('option-table.test.ts'))
  .sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1))
  .map((file) => ({ file, ...optionsIn(readFileSync(join(root, 'test', file), 'utf8')) }));

describe('the table of the rollup node options', () => {
  it('names a test for each that says in its title what the option does', () => {
    expect(specs.filter(({ name }) => testOf(name) === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('stands in docs as it is generated', async () => {
    const rows = specs
      .map((spec) => [...columnsOf(spec), `\`${testOf(spec.name)}\``])
      .sort(([left = ''], [right = '']) => (left < right ? -1 : 1));
    await expect(`${HEAD}${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`).toMatchFileSnapshot(FILE);
  });
});

/** Returns the test file that shows an option. */
function testOf(option: string): string | undefined {
  return (TESTS.find(({ titled }) => titled.has(option)) ?? TESTS.find(({ cases }) => cases.has(option)))?.file;
}

function rank(file: string): number {
  return ['nodes/rollup/options/', 'nodes/rollup/', 'e2e/'].findIndex((folder) => file.startsWith(folder));
}

/** Returns the options with which titles of a file's tests begin, and those with which rows of its cases begin. */
function optionsIn(text: string): { readonly titled: ReadonlySet<string>; readonly cases: ReadonlySet<string> } {
  const titles = [...text.matchAll(/\bit(?:\.each\([\s\S]*?\))?\(\s*['"]((?:--[\w.-]+(?:, |: |; )?)+)/g)];
  const forks = text.includes('`--${fork.override}`') ? FORKS.flatMap(({ override }) => override ?? []) : [];
  const rejected = text.includes("'refuse --%s at another value than its default, with the reason")
    ? refused.keys()
    : [];
  return {
    titled: new Set([
      ...titles.flatMap(([, title]) => title!.split(/[,:;] ?/)).map((option) => option.slice(2)),
      ...forks,
      ...rejected,
    ]),
    cases: new Set([...text.matchAll(/\[\s*'--([\w.-]+)',/g)].map(([, option]) => option!)),
  };
}
