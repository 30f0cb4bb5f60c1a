import { resolve } from 'node:path';
import { type PipedProcess, startPiped } from '../../system/process-piped.ts';
import { cacheFolder, homeFolder } from './paths.ts';
import { privateHome } from './private-home.ts';

/** Commands that will need a supervisor if their arguments are right. */
const NEEDS_SUPERVISOR: ReadonlySet<string> = new Set(['up', 'start', 'exec']);

export function needsSupervisor(argv: readonly string[]): boolean {
  return NEEDS_SUPERVISOR.has(argv[0] ?? '') && !argv.includes('--help') && !argv.includes('-h');
}

/** Starts the program as a supervisor that waits for its orders. @throws Failure `home` (exit 4) */
export function startSupervisor(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): PipedProcess {
  const home = resolve(cwd, homeFolder(env));
  // Node would make the folder of its cache, and those above it, for everybody to read.
  privateHome(home);
  const own = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return startPiped([process.execPath, '--min-semi-space-size=16', program], {
    // Every process of a network is one of a few programs: each is compiled once for all of them.
    NODE_COMPILE_CACHE: cacheFolder(home, 'code'),
    ...own,
    DEVNET_HOME: home,
    DEVNET_PROCESS: 'supervisor',
  });
}

/** Where the launcher leaves what it has started for the program that it runs: they are two scripts in one process. */
const EARLY = Symbol.for('rollup-devnet supervisor');
const place = globalThis as { [EARLY]?: PipedProcess };

/**
 * Starts the supervisor of a command line that will need one before the program is read that says so: it starts on the other processor
 * meanwhile, and ends by itself where nobody takes it.
 */
export function leaveSupervisor(
  argv: readonly string[],
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): void {
  if (!needsSupervisor(argv)) return;
  try {
    place[EARLY] = startSupervisor(program, env, cwd);
  } catch {
    // The command says that there is no home.
  }
}

/** What the launcher has left, once. */
export function foundSupervisor(): PipedProcess | undefined {
  const found = place[EARLY];
  delete place[EARLY];
  return found;
}
