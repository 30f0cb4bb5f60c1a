import { EXIT, Failure, messageOf, SYSTEM_HINTS, systemCode } from '../../system/failure.ts';
import { needsSupervisor } from '../run/early-supervisor.ts';
import type { CommandDefinition, Io } from './command.ts';
import { endUntaken, startEarly } from './early.ts';
import { COMMANDS } from './registry.ts';

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const name = commandName(argv);
  try {
    if (name === undefined) return await overview(argv, io);
    if (needsSupervisor(argv)) startEarly(io);
    const load = COMMANDS[name];
    if (load === undefined) throw await unknownCommand(name);
    const { command } = await load();
    return await run(command, argv.slice(name.split(' ').length), io);
  } catch (error) {
    return complain(error, io);
  } finally {
    await endUntaken(io);
  }
}

/** Says what went wrong and returns the exit code for it. */
function complain(error: unknown, io: Io): number {
  const code = systemCode(error);
  if (!(error instanceof Failure) && code !== undefined) {
    const hint = SYSTEM_HINTS[code];
    io.stderr(`devnet: ${messageOf(error)}\n${hint === undefined ? '' : `  ${hint}\n`}`);
    return EXIT.lacking;
  }
  if (!(error instanceof Failure)) {
    io.stderr(`devnet: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT.failed;
  }
  if (error.code === 'help') io.stdout(`${error.message}\n`);
  else io.stderr(`devnet: ${messageOf(error)}\n${error.hint === undefined ? '' : `  ${error.hint}\n`}`);
  return error.exit;
}

/** The command that the words name, one or two of them; undefined where there is none but options. */
function commandName(argv: readonly string[]): string | undefined {
  const [first, second] = argv;
  if (first === undefined || first.startsWith('-') || first === 'help') return undefined;
  return `${first} ${second}` in COMMANDS ? `${first} ${second}` : first;
}

async function run(definition: CommandDefinition, words: readonly string[], io: Io): Promise<number> {
  const { Command, CommanderError, Option } = await import('commander');
  const command = new Command(`devnet ${definition.name}`).description(definition.summary).exitOverride();
  let said = '';
  command.configureOutput({ writeOut: (text) => (said += text), writeErr: (text) => (said += text) });
  for (const { syntax, description } of definition.arguments) command.argument(syntax, description);
  for (const { flags, description, default: value, repeatable } of definition.options) {
    const option = new Option(flags, description);
    if (repeatable)
      option.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
    if (value !== undefined) option.default(value);
    command.addOption(option);
  }
  // What stands behind `--` is another program's: commands find it under that key.
  const split = words.indexOf('--');
  const own = split < 0 ? words : words.slice(0, split);
  const rest = split < 0 ? [] : words.slice(split + 1);
  try {
    command.parse([...own], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new Failure('help', said.trimEnd(), { exit: EXIT.done });
    throw new Failure('usage', `${definition.name}: ${said.trim().replace(/^error: /, '')}`, {
      exit: EXIT.usage,
      hint: `devnet ${definition.name} --help says what it takes`,
    });
  }
  return definition.run(io, command.processedArgs as (string | readonly string[] | undefined)[], {
    ...command.opts(),
    ...(split < 0 ? {} : { '--': rest }),
  });
}

async function overview(argv: readonly string[], io: Io): Promise<number> {
  if (argv.includes('--version') || argv.includes('-V')) {
    const { version } = await import('./version.ts');
    io.stdout(`${version()}\n`);
    return EXIT.done;
  }
  const wanted = argv.includes('--help') || argv.includes('-h') || argv[0] === 'help';
  const lines = await Promise.all(
    Object.values(COMMANDS).map(async (load) => {
      const { command } = await load();
      return `  ${command.name.padEnd(14)} ${command.summary}`;
    }),
  );
  const text = `devnet: a real rollup network on your machine, from one YAML file\n\n${lines.join('\n')}\n\ndevnet COMMAND --help says more\n`;
  if (wanted) io.stdout(text);
  else io.stderr(argv.length > 0 ? `devnet: ${argv[0]} is no command\n\n${text}` : text);
  return wanted ? EXIT.done : EXIT.usage;
}

async function unknownCommand(name: string): Promise<Failure> {
  const two = Object.keys(COMMANDS).filter((known) => known.startsWith(`${name} `));
  const { nearest } = await import('../spec/nearest.ts');
  const like = nearest(name, Object.keys(COMMANDS));
  return new Failure(
    'usage',
    two.length > 0 ? `devnet ${name}: expected one of ${two.join(', ')}` : `${name} is no command`,
    {
      exit: EXIT.usage,
      hint: two.length === 0 && like ? `did you mean ${like}? devnet --help lists all` : 'devnet --help lists all',
    },
  );
}
