import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unsupported } from '../../../../src/nodes/rollup/options/unsupported.ts';
import { ALL_OPTIONS } from '../../../../src/nodes/rollup/options.ts';
import { FORKS } from '../../../../src/protocol/forks/index.ts';
import type { OptionSpec } from '../../../../src/system/options.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const FILE = join(root, 'docs', 'rollup-node-options.md');
const specs: readonly OptionSpec[] = Object.values(ALL_OPTIONS);
const refused = new Map(Object.values(unsupported).map(({ name, reason }) => [name, reason]));

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

/** Rows of the table in the documentation, cell by cell. */
const rows = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('the table of the rollup node options', () => {
  it('has every option with its environment, default and effect, in order, and no other', () => {
    expect(rows.map((row) => row.slice(0, 4))).toEqual(
      specs.map(columnsOf).sort(([left = ''], [right = '']) => (left < right ? -1 : 1)),
    );
  });

  it('names a test for each that says in its title what the option does', () => {
    const lacking = rows.filter(([name = '', , , , file = '']) => {
      const path = join(root, 'test', plain(file));
      return !existsSync(path) || !isNamed(plain(name), readFileSync(path, 'utf8'));
    });
    expect(lacking.map(([name, , , , file]) => `${name} in ${file}`)).toEqual([]);
  });
});

const plain = (cell: string) => cell.replaceAll('`', '');

/** Tells whether a title of the file's tests, or a row of a table of cases, begins with this option. */
function isNamed(option: string, text: string): boolean {
  if (refused.has(option)) return text.includes("'refuse --%s at another value than its default, with the reason");
  const titles = [...text.matchAll(/\bit(?:\.each\([\s\S]*?\))?\(\s*['"]((?:--[\w.-]+(?:, |: |; )?)+)/g)].map(
    ([, title]) => title!,
  );
  const cases = [...text.matchAll(/\[\s*'(--[\w.-]+)',/g)].map(([, title]) => title!);
  const forks = text.includes('`--${fork.override}`') ? FORKS.map(({ override }) => `--${override}`) : [];
  return [...titles.flatMap((title) => title.split(/[,:;] ?/)), ...cases, ...forks].includes(`--${option}`);
}
