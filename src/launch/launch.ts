import { basename, dirname, join } from 'node:path';
import { collectGarbageOften } from '../system/program/collect-garbage.ts';
import { isNodeRecent } from '../system/program/node-version.ts';
import { codeFolder } from './code-folder.ts';
import { onNewerNode } from './newer-node.ts';
import { runProgram } from './run.ts';

declare const __BUILD__: string;
/** Version of the npm package `node` that the package is built with. */
declare const __NODE__: string;

const name = basename(__filename, '.js');
if (isNodeRecent()) launch(dirname(__filename));
else onNewerNode(name, __NODE__);

function launch(folder: string): void {
  const word = process.argv[2] ?? '';
  runProgram({
    file: join(folder, 'programs', `${name}.cjs`),
    name,
    build: __BUILD__,
    folder: codeFolder(name, process.env, process.cwd()),
    word,
  });
  collectGarbageOften();
}
