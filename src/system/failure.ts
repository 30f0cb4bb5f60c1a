import type { FAILURE_CODES } from './failure-codes.ts';

/** A word for programs. Its texts stay out of programs that do not print them. */
export type FailureCode = keyof typeof FAILURE_CODES;

/**
 * An error for a reader: what happened, where, what was expected, what to do.
 * `code` discriminates, `data` carries the facts for programs, `exit` is the exit code of a command that ends by it.
 */
export class Failure<Code extends FailureCode = FailureCode> extends Error {
  readonly code: Code;
  readonly data: Readonly<Record<string, unknown>>;
  readonly exit: ExitCode;
  /** The next step for the reader. */
  readonly hint: string | undefined;

  constructor(
    code: Code,
    message: string,
    options: { data?: Record<string, unknown>; exit?: ExitCode; hint?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.data = options.data ?? {};
    this.exit = options.exit ?? EXIT.failed;
    this.hint = options.hint;
  }
}

/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  /** A node or check failed. */
  failed: 1,
  /** Bad spec or command line. */
  usage: 2,
  notReady: 3,
  /** Missing prerequisite: port, Docker, binary. */
  lacking: 4,
  alreadyUp: 5,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Meanings of the exit codes, for help. */
export const EXIT_WORDS: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'a node, check or scenario failed',
  2: 'the spec or the command line is wrong',
  3: 'not ready, or not come true, in time',
  4: 'something that the machine lacks: a port, Docker, a binary',
  5: 'a devnet of this name is up',
  130: 'interrupted (Ctrl-C), everything that it started has ended',
  143: 'ended by SIGTERM, everything that it started has ended',
};

/** Returns a caught value as an Error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Returns the message of anything thrown, and those messages of its causes that it does not repeat. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message || error.name;
  const cause = error.cause === undefined ? '' : messageOf(error.cause);
  return cause === '' || message.includes(cause) ? message : `${message}: ${cause}`;
}

/** Returns the message of anything thrown, and below it what the reader can do. */
export function messageAndHint(error: unknown): string {
  const hint = (error instanceof Failure ? error.hint : undefined) ?? SYSTEM_HINTS[systemCode(error) ?? ''];
  return hint === undefined ? messageOf(error) : `${messageOf(error)}\n  ${hint}`;
}

/** SQLite's codes for a full disk: SQLITE_FULL and SQLITE_IOERR_SHMSIZE. */
const SQLITE_FULL: ReadonlySet<number | undefined> = new Set([13, 4874]);

/** Returns the code of the system error beneath anything thrown: ENOSPC, EMFILE, … */
export function systemCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, errcode } = at as NodeJS.ErrnoException & { readonly errcode?: number };
    if (SQLITE_FULL.has(errcode)) return 'ENOSPC';
    if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) return code;
  }
  return undefined;
}

/** System errors of a write that finds no space: on the disk, in a quota, under `ulimit -f`. */
const DISK_FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Returns whether something failed because no more can be written. */
export function isDiskFull(error: unknown): boolean {
  return DISK_FULL.has(systemCode(error));
}

/** Hints for errors of the system, by code. */
export const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space on that disk, or set DEVNET_HOME to a folder of another one; `devnet gc` empties the cache',
  EDQUOT: 'free some space: the disk quota is used up; `devnet gc` empties the cache',
  EFBIG: "raise the limit of a file's size: ulimit -f unlimited",
  EMFILE: 'raise the limit of open files: ulimit -n 65536',
  ENFILE: 'the whole system has too many files open: end other programs, or raise fs.file-max',
  EACCES: 'look at the owner and the mode of that file',
  EROFS: 'set DEVNET_HOME to a folder that can be written',
};
