import { EXIT, EXIT_WORDS, Failure, messageOf, SYSTEM_HINTS, systemCode } from '../../system/failure.ts';
import { sourceStack } from '../../system/program/source-stack.ts';
import { inFolder } from '../devnet/in-folder.ts';
import { noAnswer } from '../devnet/no-answer.ts';
import { selectDevnet } from '../devnet/select.ts';
import { tellingIo } from '../devnet/told-commands.ts';
import type { Io } from '../terminal/io.ts';
import { type CommandDefinition, textOption } from './input/command.ts';
import { oneName, withoutName } from './name-option.ts';
import { COMMANDS } from './registry.ts';

/** The option that names the devnet. Every command takes it. */
const NAME_FLAGS = '-n, --name <name>';

/** Runs one command line and returns its exit code. */
export async function main(commandLine: readonly string[], host: Io): Promise<number> {
  // `help node kill` is `node kill --help`.
  const argv = commandLine[0] === 'help' ? [...commandLine.slice(1), '--help'] : commandLine;
  const io = tellingIo(await inFolder(host));
  try {
    const { words, name } = withoutName(argv);
    const entry = findCommand(words);
    if (entry === undefined) return await withoutCommand(words, io);
    const [command, load] = entry;
    const rest = words.slice(command.split(' ').length);
    return await run((await load()).command, rest, name, { io, host });
  } catch (error) {
    return complain(error, io);
  }
}

/** Answers a command line without command: `--version`, `--help`, or a failure. */
async function withoutCommand(argv: readonly string[], io: Io): Promise<number> {
  const [first, second] = argv;
  if (argv.includes('--version') || argv.includes('-V')) {
    const { version } = await import('../devnet/version.ts');
    io.stdout(`${version()}\n`);
    return EXIT.done;
  }
  const { commandsBelow, help, noCommand } = await import('./overview.ts');
  const isHelp = (word: string | undefined) => word === '--help' || word === '-h';
  if (isHelp(first)) return help(io);
  const below = commandsBelow(first);
  return below.length > 0 && isHelp(second) ? help(io, below) : noCommand(argv, io);
}

/** Reports an error and returns its exit code. */
function complain(reason: unknown, io: Io): number {
  const error = noAnswer(reason, io) ?? reason;
  const code = systemCode(error);
  if (!(error instanceof Failure) && code !== undefined) {
    const hint = SYSTEM_HINTS[code];
    io.stderr(`devnet: ${messageOf(error)}\n${hint === undefined ? '' : `  ${hint}\n`}`);
    return EXIT.lacking;
  }
  if (!(error instanceof Failure)) {
    io.stderr(`devnet: ${error instanceof Error ? sourceStack(error) : String(error)}\n`);
    return EXIT.failed;
  }
  if (error.code === 'help') io.stdout(`${error.message}\n`);
  else io.stderr([`devnet: ${messageOf(error)}\n`, ...moreLines(error).map((line) => `  ${line}\n`)].join(''));
  return error.exit;
}

/** Returns what to do about a failure. A wrong command line is explained by its message. */
function moreLines({ hint, code, exit }: Failure): readonly string[] {
  const isOwnWords = exit === EXIT.usage || exit === EXIT.interrupted;
  return [
    ...(hint === undefined ? [] : [hint]),
    ...(isOwnWords ? [] : [`error code ${code}: \`devnet explain ${code}\``]),
  ];
}

/** Finds the command of one or two words by its name; undefined if there is none. */
export function findCommand([first = '', second = '']: readonly string[]) {
  const entries = Object.entries(COMMANDS);
  const entryOf = (command: string) => entries.find(([name]) => name === command);
  return entryOf(`${first} ${second}`) ?? entryOf(first);
}

/** Formats examples and exit codes for `--help`. */
function helpLines({ examples, exits = {} }: CommandDefinition, program: string): readonly string[] {
  const words = Object.entries({ ...EXIT_WORDS, ...exits });
  return [
    'Examples:',
    ...examples.map((line) => `  ${line.replace(/^devnet /, `${program} `)}`),
    '',
    'Exits with:',
    ...words.map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`),
  ];
}

/**
 * Makes the parser of a command line. `write` receives its help and its errors. `program`: how a shell calls this
 * installation.
 */
export async function parserOf(definition: CommandDefinition, write: (text: string) => void, program = 'devnet') {
  const { Command, Option } = await import('commander');
  const command = new Command(`${program} ${definition.name}`).description(definition.summary).exitOverride();
  command.configureOutput({ writeOut: write, writeErr: write });
  for (const { syntax, description } of definition.arguments) command.argument(syntax, description);
  for (const { flags, description, default: value, choices, repeatable } of definition.options) {
    const option = new Option(flags, description);
    if (repeatable)
      option.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
    if (choices !== undefined) option.choices(choices);
    if (value !== undefined) option.default(value);
    command.addOption(option);
  }
  const hasName = definition.options.some(({ flags }) => flags === NAME_FLAGS);
  if (!hasName) command.addOption(new Option(NAME_FLAGS, 'a devnet that exists').hideHelp());
  return command.addHelpText('after', `\n${helpLines(definition, program).join('\n')}`);
}

/**
 * Parses the words of a command, and runs it. `before`: the name that `--name` gives before them. `host` receives an
 * answer for programs, `io` all texts for people.
 * @throws Failure `usage` (exit 2)
 */
async function run(
  definition: CommandDefinition,
  words: readonly string[],
  before: string | undefined,
  { io, host }: { readonly io: Io; readonly host: Io },
): Promise<number> {
  const { CommanderError } = await import('commander');
  let parserOutput = '';
  const command = await parserOf(definition, (text) => (parserOutput += text), io.program);
  // Words after `--` belong to another program: commands find them under that key.
  const split = words.indexOf('--');
  const commandWords = split < 0 ? words : words.slice(0, split);
  const rest = split < 0 ? [] : words.slice(split + 1);
  try {
    command.parse(definition.hasSignedWords ? commandWords.map(hideSign) : [...commandWords], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new Failure('help', parserOutput.trimEnd(), { exit: EXIT.done });
    throw new Failure('usage', `${definition.name}: ${parserOutput.trim().replace(/^error: /, '')}`, {
      exit: EXIT.usage,
      hint: `run \`devnet ${definition.name} --help\` for its arguments and options`,
    });
  }
  const options = command.opts();
  const isUnnamed = before === undefined && options['name'] === undefined;
  const name = isUnnamed ? undefined : oneName(before, textOption(options, 'name') ?? before);
  if (name !== undefined && !definition.options.some(({ flags }) => flags === NAME_FLAGS)) selectDevnet(io, name);
  const { forPrograms = ({ json }) => json === true } = definition;
  const output = forPrograms(options) ? { ...io, stdout: host.stdout } : io;
  const args = command.processedArgs as (string | readonly string[] | undefined)[];
  return definition.run(output, definition.hasSignedWords ? args.map(showSign) : args, {
    ...options,
    ...(name === undefined ? {} : { name }),
    ...(split < 0 ? {} : { '--': rest }),
  });
}

/** Stands for the minus of a word that commander would take for an option. */
const MINUS = '\u2212';

function hideSign(word: string): string {
  return word.replace(/^-(?=\d)/, MINUS);
}

function showSign<Arg>(arg: Arg): Arg | string {
  return typeof arg === 'string' ? arg.replace(MINUS, '-') : arg;
}
