import { EXIT, Failure } from '../../system/failure.ts';
import type { Io } from '../workflow/command.ts';
import { COMMANDS } from './registry.ts';

/** Lists the commands of two words in a group such as `node`. */
export function groupOf(word: string | undefined): readonly string[] {
  if (word === undefined || word in COMMANDS) return [];
  return Object.keys(COMMANDS).filter((known) => known.startsWith(`${word} `));
}

/** Lists all commands, or a group of them, as the answer. */
export async function help(io: Io, names: readonly string[] = Object.keys(COMMANDS)): Promise<number> {
  io.stdout(await listText(names));
  return EXIT.done;
}

/** Answers a command line that names no command. @throws Failure `usage` (exit 2) where it has words */
export async function noCommand(argv: readonly string[], io: Io): Promise<number> {
  const [word, second] = argv;
  if (word === undefined) {
    io.stderr(await listText(Object.keys(COMMANDS)));
    return EXIT.usage;
  }
  const group = groupOf(word);
  const { nearest } = await import('../spec/nearest.ts');
  const all = group.length > 0 ? group.map((name) => name.slice(word.length + 1)) : Object.keys(COMMANDS);
  const like = nearest(group.length > 0 ? (second ?? '') : word, all);
  const guess = like === undefined ? '' : ` (did you mean ${group.length > 0 ? `${word} ` : ''}${like}?)`;
  if (group.length === 0)
    throw new Failure('usage', `unknown command ${JSON.stringify(word)}${guess}`, {
      exit: EXIT.usage,
      hint: 'run `devnet --help` for the list',
    });
  const found = second === undefined ? 'nothing' : JSON.stringify(second);
  throw new Failure('usage', `${word}: expected one of ${all.join(', ')}, found ${found}${guess}`, {
    exit: EXIT.usage,
    hint: `run \`devnet ${word} --help\` for the list`,
  });
}

async function listText(names: readonly string[]): Promise<string> {
  const listed = Object.entries(COMMANDS).filter(([name]) => names.includes(name));
  const lines = await Promise.all(
    listed.map(async ([, load]) => {
      const { command } = await load();
      return `  ${command.name.padEnd(14)} ${command.summary}`;
    }),
  );
  return [
    'devnet: a real rollup network on your machine, from one YAML file',
    '',
    ...lines,
    '',
    'run `devnet COMMAND --help` for its arguments and options',
    '',
  ].join('\n');
}
