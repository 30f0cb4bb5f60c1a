import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT_WORDS } from '../../src/system/failure.ts';
import { FAILURE_CODES } from '../../src/system/failure-codes.ts';

const root = resolve(import.meta.dirname, '../..');

/** Lists the words that stand as the first argument of a failure anywhere in src. */
function usedCodes(): ReadonlySet<string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return new Set(
    files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
      .flatMap((text) =>
        [...text.matchAll(/(?:new Failure|\bendFailure)\(\s*([^,()]+),/g)].map(([, first]) => first ?? ''),
      )
      .flatMap((first) => [...first.matchAll(/'([a-z0-9-]+)'/g)].map(([, code]) => code ?? '')),
  );
}

it('the list of failure codes has each code in use and no other', () => {
  expect([...usedCodes()].toSorted()).toEqual(Object.keys(FAILURE_CODES).toSorted());
});

it('the page of the errors has them all: `vitest -u` writes it', async () => {
  const row = ([code, text]: readonly [string, string]) => `| \`${code}\` | ${text} |`;
  const table = (title: string, rows: readonly (readonly [string, string])[]) =>
    [`| ${title} | meaning |`, '|---|---|', ...rows.map(row)].join('\n');
  const page = `# Exit codes and error codes

\`devnet explain WORD\` prints the text of each, and explains the keys of a spec.

## Exit codes

${table('exit code', Object.entries(EXIT_WORDS))}

## Error codes

A command that fails prints the code of its error, unless the command line or the spec is wrong. The errors of the
[library](../how-to/test.md) have it as \`code\`.

${table('code', Object.entries(FAILURE_CODES))}
`;
  await expect(page).toMatchFileSnapshot(join(root, 'docs/reference/errors.md'));
});
