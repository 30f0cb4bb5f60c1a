import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { isNodeRecent, NODE_NEEDED } from '../system/program/node-version.ts';
import { LIFELINE } from '../system/program/starter-pipes.ts';
import { terminalText } from '../system/program/terminal-text.ts';

/** A request for a version of the npm package `node`. */
export interface NodeRequest {
  readonly version: string;
  /** File beside whose packages one of that name is searched. */
  readonly beside: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the path of a recent Node: the npm package `node` beside the program, else one that npm fetches. */
export function newerNode({ version, beside, env }: NodeRequest): string | undefined {
  const installed = installedNode(beside);
  if (installed !== undefined) return installed;
  // The version is exact, so that npm asks no registry for it once it is in its cache.
  const { stdout } = spawnSync(
    'npm',
    [
      'exec',
      '--yes',
      `--package=node@${version}`,
      '--',
      'node',
      '-p',
      '`${process.versions.node} ${process.execPath}`',
    ],
    // A hook of NODE_OPTIONS may print to its output.
    { env: { ...env, NODE_OPTIONS: '' }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [, latest = '', path] = /^(\d+\.\d+\.\d+) (.+)$/m.exec(stdout ?? '') ?? [];
  return isNodeRecent(latest) ? path : undefined;
}

function installedNode(beside: string): string | undefined {
  try {
    const require = createRequire(beside);
    const manifest = require.resolve('node/package.json');
    const { version } = require(manifest) as { version: string };
    return isNodeRecent(version) ? join(dirname(manifest), 'bin', 'node') : undefined;
  } catch {
    return undefined;
  }
}

/** Signals that a terminal sends to this process and to its children alike. */
const FROM_TERMINAL: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGHUP']);

/**
 * Runs the same command line on another Node, and ends with its exit code.
 * The other process ends with this one by its lifeline, however this one ends.
 */
export function continueOn(node: string, argv: readonly string[]): void {
  const child = spawn(node, argv, {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [LIFELINE]: '3' },
  });
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (!process.stdin.isTTY || !FROM_TERMINAL.has(signal)) child.kill(signal);
    });
  child.once('error', ({ message }) => {
    process.stderr.write(terminalText(`cannot run ${node}: ${message}\n`));
    process.exitCode = 4;
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  });
}

/** Runs the command line on a recent Node, or says that there is none (exit code 4). */
export function onNewerNode(program: string, version: string): void {
  const node = newerNode({ version, beside: __filename, env: process.env });
  if (node !== undefined) {
    continueOn(node, process.argv.slice(1));
    return;
  }
  const current = process.versions.node;
  process.stderr.write(
    terminalText(`${program}: this is Node.js ${current}, expected ${NODE_NEEDED} or newer\n`) +
      `  npm could not fetch one: install Node.js ${NODE_NEEDED} or newer, or run npm install node@24\n`,
  );
  process.exitCode = 4;
}
