import { execa } from 'execa';

export interface OutputOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Runs a program and returns its output. Undefined where it fails, hangs or writes more than `maxBytes`. */
export async function outputOf(argv: readonly string[], options: OutputOptions): Promise<string | undefined> {
  const [file = '', ...args] = argv;
  const { cwd, env, timeoutMs, maxBytes } = options;
  const { failed, stdout, stderr } = await execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: 'ignore',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxBytes,
    reject: false,
    cleanup: false,
  });
  return failed ? undefined : `${stdout}\n${stderr}`;
}
