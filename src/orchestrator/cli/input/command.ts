import type { ExitCode } from '../../../system/failure.ts';
import type { Io } from '../../terminal/io.ts';

/** Command line options by the camel-case name that commander gives them. */
export type OptionValues = Readonly<Record<string, unknown>>;

export interface ArgumentDefinition {
  /** In commander's syntax: `[spec]`, `<name>`, `[rest...]`. */
  readonly syntax: string;
  readonly description: string;
}

export interface OptionDefinition {
  /** In commander's syntax: `--json`, `-d, --detach`, `--set <path=value>`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string | boolean | readonly string[];
  /** The allowed values; commander refuses others. */
  readonly choices?: readonly string[];
  /** The option may be repeated; all values are kept in order. */
  readonly repeatable?: boolean;
}

/** Titles of the groups of commands, in the order in which `devnet --help` lists them. */
export const GROUPS = [
  'run a network',
  'look at a network',
  'look into its chains',
  'change a network',
  'send transactions',
  'save a network',
  'specs and clients',
  'other machines',
  'this machine',
] as const;

/** One command of `devnet`: its file below `cli/commands` exports it as `command`. */
export interface CommandDefinition {
  /** One or two words (`node stop`): the path of its file (`node/stop.ts`). */
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  readonly summary: string;
  /** Whether a word such as `-5s` is an argument: else it is taken for an option. */
  readonly hasSignedWords?: true;
  /** Whole command lines, shown by --help. */
  readonly examples: readonly string[];
  /** What an exit code means with this command, if the common words say less. */
  readonly exits?: Readonly<Partial<Record<ExitCode, string>>>;
  readonly arguments: readonly ArgumentDefinition[];
  readonly options: readonly OptionDefinition[];
  /**
   * Returns whether the answer is for programs: a document, a script, lines of a log. They get it as it is.
   * Absent: with `--json` only.
   */
  readonly forPrograms?: (options: OptionValues) => boolean;
  /**
   * Runs the command. `args` stand in the order of their definition (a variadic one is an array), `options` by name.
   * Expected failures are written to stderr and returned as an exit code. A thrown error is a `Failure` or a defect
   * of the program.
   */
  run(io: Io, args: readonly (string | readonly string[] | undefined)[], options: OptionValues): Promise<number>;
}

/** Reads an option that takes one value. */
export function textOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Reads a repeatable option, or the words after `--`. */
export function listOption(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : [];
}
