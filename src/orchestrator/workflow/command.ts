/** Where a command writes and what it knows of its surroundings. Commands take it, so that tests give their own. */
export interface Io {
  /** The one JSON document or the answer; nothing else is written here. */
  stdout(text: string): void;
  /** Everything for people: progress, notices, errors. */
  stderr(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether stderr is a terminal. */
  readonly isTty: boolean;
}

/** 0 done, 1 a node or check failed, 2 bad spec or command line, 3 not in time, 4 the machine lacks something, 5 already up, 130/143 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 130 | 143;

/** Command line options by the camel-case name that commander gives them. */
export type OptionValues = Readonly<Record<string, unknown>>;

export interface ArgumentDefinition {
  /** As commander spells it: `[spec]`, `<name>`, `[rest...]`. */
  readonly syntax: string;
  readonly description: string;
}

export interface OptionDefinition {
  /** As commander spells them: `--json`, `-d, --detach`, `--set <path=value>`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string | boolean | readonly string[];
  /** Given more than once, all values are kept, in order. */
  readonly repeatable?: boolean;
}

/** One command of `devnet`: its file exports it as `command`. */
export interface CommandDefinition {
  /** May be of two words (`node stop`). */
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly ArgumentDefinition[];
  readonly options: readonly OptionDefinition[];
  /**
   * Arguments in the order of their definition (a variadic one is an array), options by name.
   * Expected faults are written to stderr and returned as a code; what is thrown is a fault of the program or a `Failure`.
   */
  run(io: Io, args: readonly (string | readonly string[] | undefined)[], options: OptionValues): Promise<ExitCode>;
}
