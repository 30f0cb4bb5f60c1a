import { execa } from 'execa';
import { OWN_SESSION } from '../../system/process/own-session.ts';
import { entryPoint } from '../../system/program/entry.ts';
import { Excerpt } from './excerpt.ts';

/** The end of a command of `devnet`. */
export interface Outcome {
  readonly code: number;
  /** What it printed, on both streams, bounded. */
  readonly text: string;
  /** Whether it was ended because its time was over. */
  readonly isLate: boolean;
}

/** Where commands run. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Time (ms) in which an interrupted command ends what it started. */
const END_MS = 20_000;

/**
 * Runs a command of this installation as a process of its own, to its end. It is interrupted on abort, and when its
 * time is over.
 */
export async function runCommand(
  words: readonly string[],
  { cwd, env }: Place,
  timeout: number,
  cancelSignal: AbortSignal,
): Promise<Outcome> {
  const excerpt = new Excerpt();
  const command = execa(process.execPath, [entryPoint('devnet'), ...words], {
    ...{ cwd, env, extendEnv: false, stdin: 'ignore', buffer: false, reject: false, timeout, cancelSignal },
    ...{ killSignal: 'SIGINT', forceKillAfterDelay: END_MS },
  });
  for (const stream of [command.stdout, command.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => excerpt.add(text));
  const { exitCode = 1, timedOut } = await command;
  return { code: exitCode, text: excerpt.text(), isLate: timedOut };
}

/** Tears a devnet down by a process that outlives this one. Resolves when it is gone. */
export async function tearDown(name: string, { cwd, env }: Place): Promise<void> {
  const words = [entryPoint('devnet'), 'down', `--name=${name}`];
  await execa(process.execPath, words, { ...OWN_SESSION, cwd, env, stdio: 'ignore' });
}
