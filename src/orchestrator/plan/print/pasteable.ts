import type { Command } from '../plan.ts';
import { redactor } from '../redact.ts';

/**
 * Returns a command for a shell, with its secrets read from `files` or redacted.
 * Its environment is that of the plan, without the stamp.
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

/** Returns a text with every secret redacted. */
export function redacted(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
