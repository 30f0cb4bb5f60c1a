import { shellQuote } from '../../../system/program/shell-quote.ts';
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
  const quoted = (word: string) => shellQuote(redactSecrets(word, secrets));
  const words = [...assignments(command, files, quoted), ...command.argv.map(quoted)];
  return `cd ${shellQuote(command.cwd)} && ${words.join(' ')}`;
}

/** Returns the environment of a command as words of a shell. A secret is read from the file that holds it. */
export function assignments(
  { env }: Command,
  files: ReadonlyMap<string, string>,
  quoted: (word: string) => string = shellQuote,
): readonly string[] {
  return Object.entries(env).map(([name, value]) => {
    const file = files.get(value);
    return `${name}=${file === undefined ? quoted(value) : `"$(cat ${shellQuote(file)})"`}`;
  });
}

/** Returns a text with every secret redacted. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}
