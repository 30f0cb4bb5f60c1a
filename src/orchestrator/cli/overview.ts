import { EXIT, Failure } from '../../system/failure.ts';
import { fitToTerminal } from '../terminal/fit.ts';
import type { Io } from '../terminal/io.ts';
import { type CommandDefinition, GROUPS } from './input/command.ts';
import { COMMANDS } from './registry.ts';

/** Lists the commands of two words that begin with a word such as `node`. */
export function commandsBelow(word: string | undefined): readonly string[] {
  if (word === undefined || word in COMMANDS) return [];
  return Object.keys(COMMANDS).filter((command) => command.startsWith(`${word} `));
}

/** Lists all commands, or some of them, as the answer. */
export async function help(io: Io, names: readonly string[] = Object.keys(COMMANDS)): Promise<number> {
  io.stdout(fitToTerminal(io, await listText(names)));
  return EXIT.done;
}

/** Answers a command line that names no command. @throws Failure `usage` (exit 2) if it has words */
export async function noCommand(argv: readonly string[], io: Io): Promise<number> {
  const [word, second] = argv;
  if (word === undefined) {
    io.stderr(fitToTerminal(io, await listText(Object.keys(COMMANDS)), 'stderr'));
    return EXIT.usage;
  }
  const below = commandsBelow(word);
  const { nearest } = await import('../spec/text/nearest.ts');
  const all = below.length > 0 ? below.map((name) => name.slice(word.length + 1)) : Object.keys(COMMANDS);
  const like = nearest(below.length > 0 ? (second ?? '') : word, all);
  const guess = like === undefined ? '' : ` (did you mean ${below.length > 0 ? `${word} ` : ''}${like}?)`;
  if (below.length === 0)
    throw new Failure('usage', `unknown command ${JSON.stringify(word)}${guess}`, {
      exit: EXIT.usage,
      hint: 'run `devnet --help` for the list',
    });
  const actual = second === undefined ? 'nothing' : JSON.stringify(second);
  throw new Failure('usage', `${word}: expected one of ${all.join(', ')}, found ${actual}${guess}`, {
    exit: EXIT.usage,
    hint: `run \`devnet ${word} --help\` for the list`,
  });
}

/** Sorts commands for a list: the groups that have any, in their order. In each, one word stands before two. */
export function inGroups(
  definitions: readonly CommandDefinition[],
): readonly { readonly title: string; readonly commands: readonly CommandDefinition[] }[] {
  return GROUPS.map((title) => ({
    title,
    commands: definitions
      .filter(({ group }) => group === title)
      .sort((a, b) => wordsOf(a) - wordsOf(b) || (a.name < b.name ? -1 : 1)),
  })).filter(({ commands }) => commands.length > 0);
}

const wordsOf = ({ name }: CommandDefinition): number => name.split(' ').length;

async function listText(names: readonly string[]): Promise<string> {
  const listed = Object.entries(COMMANDS).filter(([name]) => names.includes(name));
  const definitions = await Promise.all(listed.map(async ([, load]) => (await load()).command));
  const width = Math.max(...names.map((name) => name.length));
  return [
    'devnet: a real rollup network on your machine, from one YAML file',
    '',
    ...inGroups(definitions).flatMap(({ title, commands }) => [
      `${title}:`,
      ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
      '',
    ]),
    'run `devnet COMMAND --help` for its arguments and options',
    '--name NAME before or after a command names its devnet; default: DEVNET_NAME, that of ./devnet.yaml, the only one',
    '',
  ].join('\n');
}
