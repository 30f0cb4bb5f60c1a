import { EXIT, Failure } from '../../../system/failure.ts';
import { parseDuration } from '../../../system/program/options.ts';
import type { OptionValues } from './command.ts';

export const optionOf = (name: string) => `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;

/** Parses a duration option such as `--ttl 30m` to milliseconds. @throws Failure (exit 2) */
export function durationOption(options: OptionValues, name: string): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const value = parseDuration(String(text));
  if (value === undefined || value <= 0)
    throw new Failure('usage', `${optionOf(name)}: expected a duration like 30s or 5m, found ${JSON.stringify(text)}`, {
      exit: EXIT.usage,
    });
  return value;
}
