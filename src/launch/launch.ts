import { basename, dirname, join } from 'node:path';
import { leaveSupervisor } from '../orchestrator/run/early-supervisor.ts';
import { codeFolder } from './code-folder.ts';
import { programFile } from './program-file.ts';
import { runProgram } from './run.ts';

declare const __BUILD__: string;

const name = basename(__filename, '.js');
const folder = dirname(__filename);
if (name === 'devnet')
  leaveSupervisor(process.argv.slice(2), join(folder, 'supervisor.js'), process.env, process.cwd());
const word = process.argv[2] ?? '';
runProgram({
  file: programFile(folder, name, word),
  name,
  build: __BUILD__,
  folder: codeFolder(name, process.env, process.cwd()),
  word,
});
