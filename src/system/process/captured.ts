import { execa } from 'execa';
import { EXIT, Failure, messageOf } from '../failure.ts';
import { outputFile } from '../files/output-file.ts';
import { pause } from '../time/pause.ts';
import { signalGroup } from './group.ts';
import { identify } from './identity.ts';
import { OWN_SESSION } from './own-session.ts';

/** The output of a command, and its end. */
export interface Captured {
  /** 128 + the signal's number after a signal. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it was ended because its time was over. */
  readonly late: boolean;
  /** Whether it was ended because it printed more than `maxBytes` on one of its streams. */
  readonly large: boolean;
}

export interface CaptureOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Bytes of each stream that are kept. Default: 1 MiB. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 1024 * 1024;

/** Time (ms) between two checks of the size of the output. */
const CHECK_MS = 100;

/**
 * Runs a command in a session of its own and captures its output, until the command itself ends.
 * A process that it leaves may hold its output for ever, so the output goes to files: no wait depends on their end, and
 * no later line of such a process fails. The group of the command is killed on abort, when its time is over and when
 * it prints too much.
 * @throws Failure `spawn` (exit 4) if it cannot be started
 */
export async function runCaptured(argv: readonly string[], options: CaptureOptions): Promise<Captured> {
  const [file = '', ...args] = argv;
  const { env, cwd, timeoutMs, signal, maxBytes = MAX_BYTES } = options;
  using stdout = outputFile();
  using stderr = outputFile();
  const child = execa(file, args, { ...OWN_SESSION, env, cwd, stdio: ['ignore', stdout.fd, stderr.fd] });
  const exited = new Promise<number>((resolve) => child.nodeChildProcess.once('exit', (code) => resolve(code ?? 137)));
  if (child.pid === undefined) {
    const { cause } = await child;
    throw new Failure('spawn', `cannot run ${file}: ${messageOf(cause)}`, { exit: EXIT.lacking, cause });
  }
  const started = identify(child.pid);
  const end = () => {
    if (started !== undefined) signalGroup({ id: started.pid, started: started.started }, 'SIGKILL');
  };
  const isLarge = () => Math.max(stdout.size(), stderr.size()) > maxBytes;
  let late = false;
  const timer = new AbortController();
  void pause(timeoutMs, timer.signal).then(() => {
    if (timer.signal.aborted) return;
    late = true;
    end();
  });
  const checks = setInterval(() => {
    if (isLarge()) end();
  }, CHECK_MS);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    const code = await exited;
    return { code, stdout: stdout.read(maxBytes), stderr: stderr.read(maxBytes), late, large: isLarge() };
  } finally {
    timer.abort();
    clearInterval(checks);
    signal?.removeEventListener('abort', end);
  }
}
