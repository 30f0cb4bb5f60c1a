import type { Io } from '../terminal/io.ts';
import type { Evidence, Run } from './step.ts';

/**
 * Runs a command's work with an output of its own. Its lines for people become the evidence. Ends when the processes
 * that it started are done with the present time.
 */
export async function saidBy(
  { io, time }: Pick<Run, 'io' | 'time'>,
  work: (io: Io) => Promise<unknown>,
): Promise<Evidence> {
  let output = '';
  await work({ ...io, isTty: false, stdout: () => undefined, stderr: (text) => (output += text) });
  await time.settle();
  return { said: output.trim().split('\n') };
}
