import { EXIT, Failure, messageOf, SYSTEM_HINTS, systemCode } from './failure.ts';

/** A started program: it runs until stopped or until `failed` rejects. */
export interface Running {
  stop(): Promise<void>;
  /** Rejects when the program cannot go on; never resolves. */
  readonly failed: Promise<never>;
  /** Resolves when there is nothing more to do, in a program that ends by itself. */
  readonly done?: Promise<void>;
}

/**
 * Runs a program until SIGTERM or SIGINT, and returns its exit code: 0 after a clean stop, the failure's own code else. Only a composition
 * root (src/bin) may pass the result to the process.
 */
export async function runUntilSignal(name: string, start: () => Promise<Running | undefined>): Promise<number> {
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  try {
    const running = await start();
    if (running === undefined) return EXIT.done;
    try {
      await Promise.race([signalled, running.failed, ...(running.done === undefined ? [] : [running.done])]);
    } finally {
      await running.stop();
    }
    return EXIT.done;
  } catch (error) {
    return report(name, error);
  }
}

/** Prints a failure as people read it and returns its exit code. */
export function report(name: string, error: unknown): number {
  if (error instanceof Failure) {
    if (error.code === 'help') process.stdout.write(error.message + '\n');
    else
      process.stderr.write(
        `${error.message.startsWith(name) ? '' : `${name}: `}${messageOf(error)}\n${error.hint ? `  ${error.hint}\n` : ''}`,
      );
    return error.exit;
  }
  const code = systemCode(error);
  if (code !== undefined) {
    const hint = SYSTEM_HINTS[code];
    process.stderr.write(`${name}: ${messageOf(error)}\n${hint === undefined ? '' : `  ${hint}\n`}`);
    return EXIT.lacking;
  }
  process.stderr.write(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
