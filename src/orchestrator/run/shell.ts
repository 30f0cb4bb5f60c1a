import type { Command } from '../plan/plan.ts';
import { redactor } from '../plan/redact.ts';

/**
 * A command as it can be pasted into a shell, its secrets hidden: read from their files in the environment, where these are given. The environment
 * is that of the plan, without our stamp.
 */
export function pasteable(
  command: Command,
  secrets: readonly string[],
  files: ReadonlyMap<string, string> = new Map(),
): string {
  const word = (value: string) => {
    const file = files.get(value);
    return file === undefined ? quoted(redacted(value, secrets)) : `"$(cat ${quoted(file)})"`;
  };
  const words = [
    ...Object.entries(command.env).map(([key, value]) => `${key}=${word(value)}`),
    ...command.argv.map((word) => quoted(redacted(word, secrets))),
  ];
  return `cd ${quoted(command.cwd)} && ${words.join(' ')}`;
}

/** A text with every secret in it replaced. */
export function redacted(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
