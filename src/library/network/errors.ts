import { noAnswer } from '../../orchestrator/devnet/no-answer.ts';
import type { FailureReport } from '../../orchestrator/state/failure-report.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';

/** The facts of an error, as plain JSON if they come from a report. */
type ErrorData = Readonly<Record<string, unknown>>;

/** The base class of every error that this library throws on purpose. An abort throws the reason of its signal. */
export class DevnetError extends Error {
  /** A word for programs: `spec`, `start`, `late`, `unsupported`, … */
  readonly code: string;
  /** The next step for the reader; undefined if there is none. */
  readonly hint: string | undefined;
  /** The facts for programs. */
  readonly data: ErrorData;

  constructor(code: string, message: string, options: { hint?: string; data?: ErrorData; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    this.data = options.data ?? {};
  }
}

/** One problem of a spec or a scenario. */
export interface SpecProblem {
  /** The file's name, as it was given. */
  readonly file: string;
  /** From 1 on. */
  readonly line: number;
  readonly column: number;
  /** The key, as `chains.main.blockTime`. */
  readonly path: string;
  readonly message: string;
  /** The values that are allowed there. */
  readonly allowed?: string;
  /** The nearest known word to a misspelt one. */
  readonly nearest?: string;
}

/** The spec or the scenario is wrong. The message shows each problem with its source line. */
export class SpecError extends DevnetError {
  /** All problems; empty if the text could not be found or read. */
  readonly problems: readonly SpecProblem[];

  constructor(message: string, problems: readonly SpecProblem[], options: { hint?: string; cause?: unknown } = {}) {
    super('spec', message, { ...options, data: { problems } });
    this.problems = problems;
  }
}

/** An argument has no meaning for this network: an unknown node, a time that lies behind. */
export class UsageError extends DevnetError {}

/** The machine lacks something: a port, Docker, a binary. */
export class PrerequisiteError extends DevnetError {}

/** Something did not come true in time. */
export class TimeoutError extends DevnetError {}

/** A devnet of this name is up, or is stopped and would be lost. */
export class NameTakenError extends DevnetError {}

/** A snapshot cannot be taken or used. Nothing was changed, unless the message names a process that did not start. */
export class SnapshotError extends DevnetError {}

/** The network did not become ready. */
export class StartError extends DevnetError {
  /** The process that failed, why, its command and its last lines; undefined if no process is the cause. */
  readonly report: FailureReport | undefined;
  /** Folder with all logs and data, kept for inspection; undefined if nothing was kept. */
  readonly folder: string | undefined;

  constructor(
    message: string,
    report: FailureReport | undefined,
    folder: string | undefined,
    hint: string | undefined = report?.hint,
  ) {
    super('start', message, {
      ...(hint === undefined ? {} : { hint }),
      data: { ...(report && { report }), ...(folder === undefined ? {} : { folder }) },
    });
    this.report = report;
    this.folder = folder;
  }
}

/** A method of a test client that a rollup cannot do. The message gives the reason. */
export class UnsupportedError extends DevnetError {
  /** The method's name, as viem has it. */
  readonly method: string;

  constructor(method: string, reason: string) {
    super('unsupported', `${method} is not available: ${reason}`, { data: { method, reason } });
    this.method = method;
  }
}

/** Makes the commands in a text those of this network and installation: see `told-commands.ts`. */
type Telling = Pick<Io, 'runnable' | 'programAt'>;

/** Runs work and turns its failures into the library's errors. */
export async function translateErrors<T>(io: Telling, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(io, error);
  }
}

/** Returns the library's error for a failure; everything else unchanged. */
export function translate(io: Telling, reason: unknown): unknown {
  const { runnable = (text) => text } = io;
  const error = noAnswer(reason, io) ?? reason;
  if (!(error instanceof Failure)) return error;
  const message = runnable(messageOf(error).trimEnd());
  const hint = error.hint === undefined ? {} : { hint: runnable(error.hint) };
  const options = { ...hint, data: error.data, cause: error };
  if (error.code === 'spec' || error.code === 'scenario') return new SpecError(message, problemsOf(error), options);
  if (error.code === 'snapshot' || error.data['request'] === 'snapshot')
    return new SnapshotError(error.code, message, options);
  if (error.exit === EXIT.notReady || error.code === 'late') return new TimeoutError(error.code, message, options);
  if (error.exit === EXIT.usage) return new UsageError(error.code, message, options);
  if (error.exit === EXIT.lacking) return new PrerequisiteError(error.code, message, options);
  if (error.exit === EXIT.alreadyUp) return new NameTakenError(error.code, message, options);
  return new DevnetError(error.code, message, options);
}

function problemsOf({ data }: Failure): readonly SpecProblem[] {
  const problems = data['problems'];
  return Array.isArray(problems) ? problems : [];
}
