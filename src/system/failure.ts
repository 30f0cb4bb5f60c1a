/**
 * An error that a person will read: what happened, where, what was expected, what to do. `code` discriminates, `data` carries the facts for
 * programs, `exit` is the exit code of a command that ends by it.
 */
export class Failure<Code extends string = string> extends Error {
  readonly code: Code;
  readonly data: Readonly<Record<string, unknown>>;
  readonly exit: ExitCode;
  /** What the reader can do about it. */
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
  failed: 1,
  usage: 2,
  notReady: 3,
  lacking: 4,
  alreadyUp: 5,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The message of anything thrown, with the messages of its causes where it does not hold them already. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || error.name;
  const cause = error.cause === undefined ? '' : messageOf(error.cause);
  return cause === '' || own.includes(cause) ? own : `${own}: ${cause}`;
}
