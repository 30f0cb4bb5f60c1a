import { EXIT, Failure } from '../../../system/failure.ts';
import { type OptionValues, textOption } from './command.ts';

/**
 * Reads an option that takes a number between two bounds: a whole one, unless the lower bound is a fraction.
 * @throws Failure `usage`
 */
export function numberOption(options: OptionValues, name: string, least: number, most: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  const isRight = Number.isSafeInteger(value) || !Number.isSafeInteger(least);
  if (text.trim() !== '' && isRight && value >= least && value <= most) return value;
  throw new Failure('usage', `--${name}: expected a number from ${least} to ${most}, found ${JSON.stringify(text)}`, {
    exit: EXIT.usage,
  });
}
