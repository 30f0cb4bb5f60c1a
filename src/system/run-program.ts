import { execFile } from 'node:child_process';

export interface OutputOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Runs a program to its end and returns what it wrote; undefined where it failed, hung, or wrote too much. */
export function outputOf(argv: readonly string[], options: OutputOptions): Promise<string | undefined> {
  const [file = '', ...args] = argv;
  const { cwd, env, timeoutMs: timeout, maxBytes: maxBuffer } = options;
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { cwd, env, timeout, maxBuffer, killSignal: 'SIGKILL', encoding: 'utf8' },
      (error, stdout, stderr) => resolve(error === null ? `${stdout}\n${stderr}` : undefined),
    );
    child.stdin?.destroy();
  });
}
