import { runCaptured } from './captured.ts';
import { definedVariables } from './process.ts';

export interface OutputOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Runs a program and returns its output. Undefined if it fails, hangs or writes more than `maxBytes`. */
export async function outputOf(argv: readonly string[], options: OutputOptions): Promise<string | undefined> {
  const run = await runCaptured(argv, { ...options, env: definedVariables(options.env) }).catch(() => undefined);
  return run === undefined || run.code !== 0 || run.late || run.large ? undefined : `${run.stdout}\n${run.stderr}`;
}
