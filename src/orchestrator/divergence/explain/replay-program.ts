import { join } from 'node:path';
import type { ForkSchedule } from '../../../protocol/forks/index.ts';
import type { Hex } from '../../../protocol/types.ts';
import { remove, replaceFile } from '../../../system/files/folder.ts';
import { inheritedEnvironment } from '../../../system/process/process.ts';
import { outputOf } from '../../../system/process/run-program.ts';
import { entryPoint } from '../../../system/program/entry.ts';

/** What the execution client's `replay` builds: children of a block, each from attributes under a schedule. */
export interface ReplayJob {
  /** genesis.json of the chain. */
  readonly genesis: string;
  /** URL of a client that has the state after the parent. */
  readonly state: string;
  readonly witnesses: readonly { readonly url: string; readonly hash: Hex }[];
  /** RLP of the parent's header. */
  readonly parent: Hex;
  readonly runs: readonly { readonly schedule: ForkSchedule; readonly attributes: object }[];
}

/** Limits of the program that executes the blocks. */
const REPLAY_LIMITS = { timeoutMs: 120_000, maxBytes: 8 * 1024 * 1024 };

/** The execution client's `replay`, which gets the path of a job. */
const replayProgram = () => [process.execPath, entryPoint('execution-client'), 'replay'];

/**
 * Runs a program on a job that it reads from a file in `folder`. Returns the list that the program writes.
 * @throws Error if it fails or writes no list
 */
export async function runReplay(
  folder: string,
  job: ReplayJob,
  program: readonly string[] = replayProgram(),
): Promise<readonly unknown[]> {
  // Several divergences are explained at the same time.
  const file = join(folder, `replay-${crypto.randomUUID()}.json`);
  replaceFile(file, JSON.stringify(job));
  try {
    const options = { cwd: '/', env: inheritedEnvironment(process.env), ...REPLAY_LIMITS };
    const output = await outputOf([...program, file], options);
    const line = output?.split('\n').find((each) => each.startsWith('['));
    if (line === undefined) throw new Error('the program that executes blocks under other fork times failed');
    const answers: readonly unknown[] = JSON.parse(line);
    return answers;
  } finally {
    remove(file);
  }
}
