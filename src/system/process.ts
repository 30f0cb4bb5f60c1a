import { spawn } from 'node:child_process';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { EXIT, Failure } from './failure.ts';
import { makeFolders } from './folder.ts';
import { LIFELINE } from './lifeline.ts';
import type { ProcessGroup } from './process-group.ts';
import { marked } from './process-mark.ts';
import { processTable } from './process-table.ts';

/** How a process ended: by code or by signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of ours, leader of a group and session of its own. */
export interface Child {
  readonly pid: number;
  readonly group: ProcessGroup;
  readonly exited: Promise<Exit>;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** The process writes both streams straight into this file, appended; no data flows through us. */
  readonly log: string;
  /** Handed down to all its descendants (see `markOf`). */
  readonly mark?: number;
  /** Gives the process a pipe that breaks when this process ends (see `lifelineBroken`). */
  readonly lifeline?: boolean;
}

/**
 * Starts a process in a group of its own.
 * @throws Failure `spawn` (exit 4) where the binary is missing, not executable, or not for this machine
 */
export async function startProcess(launch: Launch): Promise<Child> {
  const [file, ...args] = launch.argv;
  if (file === undefined) throw new Failure('spawn', 'a command without a program', { exit: EXIT.lacking });
  makeFolders(dirname(launch.log));
  makeFolders(launch.cwd);
  const log = openSync(
    launch.log,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    const child = marked(launch.mark, () =>
      spawn(file, args, {
        cwd: launch.cwd,
        env: launch.lifeline ? { ...launch.env, [LIFELINE]: '3' } : launch.env,
        detached: true,
        shell: false,
        stdio: ['ignore', log, log, ...(launch.lifeline ? (['pipe'] as const) : [])],
      }),
    );
    child.stdio[3]?.on('error', () => undefined);
    const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
    const { pid } = child;
    if (pid === undefined) {
      const cause = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
      throw spawnFailure(launch, file, cause);
    }
    child.on('error', () => undefined);
    return { pid, group: { id: pid, started: processTable().find(pid)?.started ?? '' }, exited };
  } finally {
    closeSync(log);
  }
}

function spawnFailure(launch: Launch, file: string, cause: NodeJS.ErrnoException): Failure {
  const where = file.includes('/') ? '' : ` in PATH=${launch.env['PATH'] ?? ''}`;
  const [what, hint] =
    cause.code === 'ENOENT'
      ? file.includes('/') && existsSync(file)
        ? [`${file} names an interpreter that is not there`, 'look at its first line (#!…)']
        : [`there is no program ${file}${where}`, 'install it, or name its path in the spec (`binary:`)']
      : cause.code === 'EACCES'
        ? [`${file} may not be executed`, `chmod +x ${file}`]
        : cause.code === 'ENOEXEC' || cause.message.includes('ENOEXEC')
          ? [`${file} is no program for this machine`, 'build or download it for this operating system and processor']
          : [`${file} could not be started: ${cause.message}`, undefined];
  return new Failure('spawn', what, {
    exit: EXIT.lacking,
    data: { file, error: cause.code },
    ...(hint === undefined ? {} : { hint }),
    cause,
  });
}

/** What every process inherits of our environment: how to find programs and files, but no option of any client. */
export function inheritedEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept =
    /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|TERM|XDG_.*|DOCKER_.*|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|DEVNET_TEST_HIDE|SSL_CERT_.*|LD_LIBRARY_PATH|DYLD_.*)$/;
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => kept.test(entry[0]) && entry[1] !== undefined),
  );
}
