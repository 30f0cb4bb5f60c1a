import type { Io } from '../workflow/command.ts';
import type { Run } from './run.ts';
import type { Evidence } from './step.ts';

/** Runs a command's work with an output of its own. Its lines for people become the evidence. */
export async function saidBy({ io }: Pick<Run, 'io'>, work: (io: Io) => Promise<unknown>): Promise<Evidence> {
  let said = '';
  await work({ ...io, isTty: false, stdout: () => undefined, stderr: (text) => (said += text) });
  return { said: said.trim().split('\n') };
}
