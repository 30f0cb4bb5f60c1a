/**
 * `make vectors DIR=…`: compares us with samples that others published, found by name in a folder (checkouts of their repositories). Nothing else
 * needs them. Ends with 1 where we disagree, or where the folder holds none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KINDS } from './vectors/kinds.ts';

const folder = process.env['DIR'];
if (folder === undefined || folder === '') {
  console.error('vectors: give the folder that holds them: make vectors DIR=…');
  process.exit(2);
}
const root = resolve(folder);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
let total = 0;
let disagreed = 0;
for (const kind of KINDS) {
  const matching = files.filter((file) => kind.files.test(file));
  const cases = matching.flatMap((file) => kind.cases(file, readFileSync(join(root, file), 'utf8')));
  const problems: string[] = [];
  for (const { name, check } of cases) {
    try {
      await check();
    } catch (error) {
      problems.push(`    ${name}: ${(error as Error).message}`);
    }
  }
  total += cases.length;
  disagreed += problems.length;
  console.log(
    `${kind.name.padEnd(48)} ${String(cases.length).padStart(4)} cases, ${String(cases.length - problems.length).padStart(4)} agree`,
  );
  for (const problem of problems) console.log(problem);
}
if (total === 0) console.error(`vectors: none found in ${root}`);
process.exitCode = disagreed > 0 || total === 0 ? 1 : 0;
