import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { shellQuote } from './shell-quote.ts';

/** How a program was started. */
export interface Call {
  /** Name of the command in `bin` of the package. */
  readonly name: string;
  /** Path of its script. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * Returns the words by which a shell in the same folder runs the same installation. These are its name if the PATH
 * leads to it, `npx NAME` if npm finds it from the folder, else the path of the script.
 */
export function calledAs({ name, script, env, cwd }: Call): string {
  const target = realPath(script) ?? script;
  const onPath = foldersOf(env).find((folder) => existsSync(join(folder, name)));
  if (onPath !== undefined && realPath(join(onPath, name)) === target) return name;
  const installed = upwards(cwd).find((folder) => existsSync(join(folder, 'node_modules', '.bin', name)));
  if (installed !== undefined && realPath(join(installed, 'node_modules', '.bin', name)) === target)
    return `npx ${name}`;
  return pathOf(target, cwd);
}

/** Folders of the PATH of the shell. npm, pnpm, yarn and Makefiles put folders of their own before them. */
function foldersOf(env: Call['env']): readonly string[] {
  const all = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const isByRunner = ['npm_config_user_agent', 'MAKELEVEL'].some((name) => env[name] !== undefined);
  return all.filter((folder) => !(isByRunner && folder.endsWith(join('node_modules', '.bin'))));
}

function upwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

function pathOf(script: string, cwd: string): string {
  const below = relative(resolve(cwd), script);
  const path = shellQuote(below.startsWith('..') ? script : `./${below}`);
  try {
    accessSync(script, constants.X_OK);
    return path;
  } catch {
    return `node ${path}`;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
