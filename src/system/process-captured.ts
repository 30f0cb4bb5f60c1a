import { execa } from 'execa';
import { EXIT, Failure, messageOf } from './failure.ts';
import { OWN_SESSION } from './own-session.ts';
import { signalGroup } from './process-group.ts';
import { identify } from './process-identity.ts';

/** What a command printed and how it ended. */
export interface Captured {
  /** 128 + the signal's number after a signal. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it was ended because its time was over. */
  readonly late: boolean;
}

/** Bytes of each stream that are kept. */
const KEPT = 1024 * 1024;

/**
 * Runs a command in a session of its own and captures its output. Its whole group is killed on abort and when its time
 * is over.
 * @throws Failure `spawn` (exit 4) where it cannot be started
 */
export async function runCaptured(
  argv: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<Captured> {
  const [file = '', ...args] = argv;
  const child = execa(file, args, {
    ...OWN_SESSION,
    env: options.env,
    cwd: options.cwd,
    stdin: 'ignore',
    buffer: true,
    reject: false,
    maxBuffer: KEPT,
    stripFinalNewline: false,
  });
  const started = child.pid === undefined ? undefined : identify(child.pid);
  let late = false;
  const end = () => {
    if (started !== undefined) signalGroup({ id: started.pid, started: started.started }, 'SIGKILL');
  };
  const timer = setTimeout(() => {
    late = true;
    end();
  }, options.timeoutMs);
  options.signal.addEventListener('abort', end, { once: true });
  try {
    const { exitCode, isMaxBuffer, stdout, stderr, cause } = await child;
    if (isMaxBuffer) end();
    if (exitCode === undefined && child.pid === undefined)
      throw new Failure('spawn', `cannot run ${file}: ${messageOf(cause)}`, { exit: EXIT.lacking, cause });
    return { code: exitCode ?? 137, stdout: String(stdout), stderr: String(stderr), late };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
  }
}
