import { basename, dirname, join } from 'node:path';
import { codeFolder } from './code-folder.ts';
import { runProgram } from './run.ts';

declare const __BUILD__: string;

const name = basename(__filename, '.js');
runProgram({
  file: join(dirname(__filename), 'programs', `${name}.cjs`),
  name,
  build: __BUILD__,
  folder: codeFolder(name, process.env, process.cwd()),
  word: process.argv[2] ?? '',
});
