import { EXIT, Failure } from '../../system/failure.ts';

/** A command line whose first words are those of the command. */
export interface NamedLine {
  readonly words: readonly string[];
  /** The value of `--name` before and among them. */
  readonly name: string | undefined;
}

/** The option, with or without its value in the same word. */
const NAME_OPTION = /^(?:--name(?:=(.*))?|-n(.+)?)$/s;

/**
 * Takes `--name` out of the words before and among those of the command, which parses what follows it.
 * @throws Failure `usage` (exit 2) if it has no value, or two different ones
 */
export function withoutName(argv: readonly string[]): NamedLine {
  const words: string[] = [];
  let name: string | undefined;
  let index = 0;
  for (; index < argv.length && words.length < 2; index++) {
    const word = argv[index] ?? '';
    const match = NAME_OPTION.exec(word);
    if (match === null && word.startsWith('-')) break;
    if (match === null) words.push(word);
    else name = oneName(name, match[1] ?? match[2] ?? argv[++index]);
  }
  return { words: [...words, ...argv.slice(index)], name };
}

/** Returns the name that both places give. @throws Failure `usage` (exit 2) if they differ, or one gives none */
export function oneName(before: string | undefined, after: string | undefined): string {
  if (after === undefined || after === '')
    throw new Failure('usage', '--name: expected the name of a devnet after it', {
      exit: EXIT.usage,
      hint: 'run `devnet ls` for the list',
    });
  if (before === undefined || before === after) return after;
  throw new Failure('usage', `two devnets are named: ${before} and ${after}`, {
    exit: EXIT.usage,
    hint: 'give one of them',
  });
}
