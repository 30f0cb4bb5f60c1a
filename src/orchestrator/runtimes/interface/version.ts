import { outputOf } from '../../../system/process/run-program.ts';
import type { Command } from '../../plan/plan.ts';

const VERSION_LIMITS = { timeoutMs: 10_000, maxBytes: 65_536 };

/** Columns of a version that are kept. */
const MAX_VERSION_CHARS = 160;

/** Returns the version that a binary reports: the first line of its answer, undefined if it gives none. */
export async function reportedVersion(
  command: Command,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const output = await outputOf(command.argv, { cwd: '/', env: { ...env, ...command.env }, ...VERSION_LIMITS });
  return output === undefined ? undefined : firstLine(output);
}

/** Returns the first line of an answer that is not empty, without control characters. */
export function firstLine(output: string): string | undefined {
  const line = output
    .split('\n')
    .map((each) => each.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim())
    .find((each) => each !== '');
  return line?.slice(0, MAX_VERSION_CHARS);
}
