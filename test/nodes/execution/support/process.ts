import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { ES_MODULES } from '../../../../src/build/start-up.ts';
import { compilesOnce } from '../../../compile-cache.ts';
import { temporaryFolder } from './nodes.ts';

let bundled: string | undefined;

/** Bundles the program as users run it. Installed packages resolve. */
function bundle(): string {
  if (bundled !== undefined) return bundled;
  const folder = temporaryFolder();
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'dist'));
  symlinkSync(join(root, 'dist', 'evm'), join(folder, 'dist', 'evm'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  buildSync({
    entryPoints: [join(root, 'src', 'bin', 'execution-client.ts')],
    outdir: join(folder, 'dist', 'programs'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['secp256k1'],
    alias: ES_MODULES,
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
  bundled = join(folder, 'dist', 'programs', 'execution-client.js');
  return bundled;
}

/** The program in its own process. */
export interface Program {
  readonly child: ChildProcess;
  /** Standard output and standard error so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Exit code, or the signal's name. */
  readonly exit: Promise<number | string>;
}

export function run(...argv: string[]): Program {
  return runWith([], ...argv);
}

/** Runs the program with options of Node. */
export function runWith(options: readonly string[], ...argv: string[]): Program {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...options, bundle(), ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...compilesOnce(), PATH: process.env['PATH'] ?? '' },
  });
  let output = '';
  child.stdout!.on('data', (part: Buffer) => {
    output += part.toString();
  });
  let text = '';
  child.stderr!.on('data', (part: Buffer) => {
    text += part.toString();
  });
  const exit = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, stdout: () => output, stderr: () => text, exit };
}

/** Returns the ports of a program once it listens. @throws with its last output if it ended */
export async function listening(program: Program): Promise<{ http: number; engine: number; websocket: number }> {
  const started = new Promise<string>((resolve) => {
    const look = () => {
      const line = /execution client started.*/.exec(program.stderr());
      if (!line) return;
      program.child.stderr!.off('data', look);
      resolve(line[0]);
    };
    program.child.stderr!.on('data', look);
    look();
  });
  const line = await Promise.race([
    started,
    program.exit.then((code) => Promise.reject(new Error(`ended with ${code}: ${program.stderr()}`))),
  ]);
  const port = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(line)?.[1] ?? 0);
  return { http: port('http'), engine: port('engine'), websocket: port('websocket') };
}
