import * as z from 'zod';
import { EXIT, Failure } from '../../../system/failure.ts';
import { readJson } from '../../../system/files/atomic-write.ts';
import type { Running } from '../../../system/program/program.ts';
import { prepareCrypto } from '../evm/crypto.ts';
import { replayJob, runJob } from '../replay/job.ts';
import { oneShotCommand } from './one-shot-command.ts';

/** Runs `replay FILE`: builds blocks under other fork times and prints hash and header of each as JSON. */
export async function replayCommand(argv: string[]): Promise<Running> {
  const [file, ...others] = argv;
  if (file === undefined || others.length > 0)
    throw new Failure('usage', 'execution-client replay: expected one job file', { exit: EXIT.usage });
  const read = replayJob.safeParse(readJson(file));
  if (!read.success)
    throw new Failure('usage', `execution-client replay: ${file} is not a job: ${z.prettifyError(read.error)}`, {
      exit: EXIT.usage,
    });
  await prepareCrypto();
  return oneShotCommand('replay', async (signal) => {
    process.stdout.write(`${JSON.stringify(await runJob(read.data, signal))}\n`);
  });
}
