import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { asError, EXIT, Failure } from '../failure.ts';
import { makeFolders } from '../files/folder.ts';
import { LIFELINE } from '../program/starter-pipes.ts';
import type { ProcessGroup } from './group.ts';
import { withMark } from './mark.ts';
import { OWN_SESSION } from './own-session.ts';
import { processTable } from './table.ts';

/** How a process ended: by code or by signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that this one started, leader of a group and session of its own. */
export interface Child {
  readonly pid: number;
  readonly group: ProcessGroup;
  readonly exited: Promise<Exit>;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** File that the process appends both output streams to. No output passes through this process. */
  readonly log: string;
  /** Mark that all descendants inherit (see `markOf`). */
  readonly mark?: number;
  /** Whether the process gets a pipe that breaks when this process ends (see `lifelineBroken`). */
  readonly lifeline?: boolean;
}

/**
 * Starts a process in a group of its own.
 * @throws Failure `spawn` (exit 4) if the binary is missing, not executable, or not for this machine
 */
export async function startProcess(launch: Launch): Promise<Child> {
  const [file, ...args] = launch.argv;
  if (file === undefined) throw new Failure('spawn', 'the command names no program', { exit: EXIT.lacking });
  makeFolders(dirname(launch.log));
  makeFolders(launch.cwd);
  const log = openSync(
    launch.log,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    // The type of execa ends at descriptor 9.
    const output = log as 9;
    const child = withMark(launch.mark, () =>
      execa(file, args, {
        ...OWN_SESSION,
        cwd: launch.cwd,
        env: launch.lifeline ? { ...launch.env, [LIFELINE]: '3' } : launch.env,
        stdio: ['ignore', output, output, ...(launch.lifeline ? (['pipe'] as const) : [])],
      }),
    );
    // execa's own promise waits for the pipe as well, which descendants may hold.
    const exited = new Promise<Exit>((resolve) =>
      child.nodeChildProcess.once('exit', (code, signal) => resolve({ code, signal })),
    );
    const { pid } = child;
    if (pid === undefined) throw spawnFailure(launch, file, (await child).cause);
    return { pid, group: { id: pid, started: processTable().find(pid)?.started ?? '' }, exited };
  } finally {
    closeSync(log);
  }
}

function spawnFailure(launch: Launch, file: string, error: unknown): Failure {
  const cause: NodeJS.ErrnoException = asError(error);
  const where = file.includes('/') ? '' : ` in PATH=${launch.env['PATH'] ?? ''}`;
  const [what, hint] =
    cause.code === 'ENOENT'
      ? file.includes('/') && existsSync(file)
        ? [`${file} names an interpreter that does not exist`, 'see its first line (#!…)']
        : [`program ${file} not found${where}`, 'install it, or give its path in the spec (`binary:`)']
      : cause.code === 'EACCES'
        ? [`${file} is not executable`, `chmod +x ${file}`]
        : cause.code === 'ENOEXEC' || cause.message.includes('ENOEXEC')
          ? [
              `${file} is not a program for this machine`,
              'build or download it for this operating system and processor',
            ]
          : [`cannot start ${file}: ${cause.message}`, undefined];
  return new Failure('spawn', what, {
    exit: EXIT.lacking,
    data: { file, error: cause.code },
    ...(hint === undefined ? {} : { hint }),
    cause,
  });
}

/** Variables that lead to programs and files. No option of any client is among them. */
const INHERITED = [
  'PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|TERM',
  'XDG_.*|DOCKER_.*|SSL_CERT_.*|LD_LIBRARY_PATH|DYLD_.*',
  'NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|DEVNET_TEST_HIDE',
];

/** Returns the variables of an environment that every process inherits. */
export function inheritedEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const pattern = new RegExp(`^(${INHERITED.join('|')})$`);
  return Object.fromEntries(Object.entries(definedVariables(env)).filter(([name]) => pattern.test(name)));
}

/** Returns the variables of an environment that have a value. */
export function definedVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
