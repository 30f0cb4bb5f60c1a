import { Command, CommanderError, Option } from 'commander';
import { asError, EXIT, Failure } from '../failure.ts';

/** One option of a program: `--name=value`, or an environment variable, else the default. */
export interface OptionSpec<T = unknown> {
  readonly name: string;
  /** Suffix behind each of the program's environment prefixes. */
  readonly env?: string;
  readonly help: string;
  readonly type: OptionType<T>;
  /** Absent: the option is undefined unless given. */
  readonly default?: T;
  /** How the default reads in help, if its value does not say it. */
  readonly defaultText?: string;
}

export interface OptionType<T> {
  /** `string`, `duration`, …: how help calls the value. */
  readonly label: string;
  /** @throws Error saying what was expected */
  parse(text: string): T;
  readonly boolean?: true;
  /** May be given more than once; values are joined. */
  readonly list?: true;
}

function type<T>(
  label: string,
  parse: (text: string) => T,
  extra: { boolean?: true; list?: true } = {},
): OptionType<T> {
  return { label, parse, ...extra };
}

function expected(what: string, text: string): never {
  throw new Error(`expected ${what}, found ${JSON.stringify(text)}`);
}

/** The value types that options have. */
export const option = {
  string: type('string', (text) => text),
  boolean: type(
    'true|false',
    (text) =>
      text === 'true' || text === '1'
        ? true
        : text === 'false' || text === '0'
          ? false
          : expected('true or false', text),
    { boolean: true },
  ),
  integer: type('number', (text) =>
    /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : expected('a whole number', text),
  ),
  natural: type('number', (text) =>
    /^\d+$/.test(text) && Number.isSafeInteger(Number(text))
      ? Number(text)
      : expected('a whole number, zero or more', text),
  ),
  number: type('number', (text) =>
    text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : expected('a number', text),
  ),
  port: type('port', (text) =>
    /^\d+$/.test(text) && Number(text) <= 65535 ? Number(text) : expected('a port from 0 to 65535', text),
  ),
  /** Milliseconds, written as Go writes durations: 6m24s, 500ms, 0. */
  duration: type('duration', (text) => parseDuration(text) ?? expected('a duration like 6m24s or 500ms', text)),
  /** Comma list; empty entries are dropped. */
  list: type(
    'a,b,…',
    (text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    { list: true },
  ),
  url: (...protocols: string[]) =>
    type('url', (text) =>
      URL.canParse(text) && protocols.includes(new URL(text).protocol)
        ? text
        : expected(`a URL of ${protocols.map((p) => p + '//').join(', ')}`, text),
    ),
  choice: <const V extends string>(...values: V[]) =>
    type<V>(
      values.join('|'),
      (text) => values.find((value) => value === text) ?? expected(`one of ${values.join(', ')}`, text),
    ),
};

/** Milliseconds of each unit of Go's durations. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['\u00b5s', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Milliseconds of a duration in Go's notation, or undefined. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, sign, parts] = /^(-?)((?:\d+(?:\.\d+)?(?:ns|us|\u00b5s|ms|s|m|h))+)$/.exec(text) ?? [];
  if (parts === undefined) return undefined;
  let total = 0;
  for (const [, amount, name = ''] of parts.matchAll(/(\d+(?:\.\d+)?)(ns|us|\u00b5s|ms|s|m|h)/g)) {
    const unit = UNITS.get(name);
    if (unit === undefined) return undefined;
    total += Number(amount) * unit;
  }
  return sign ? -total : total;
}

/** The parsed values of a table, by its keys. */
export type OptionValues<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends { type: OptionType<infer T> }
    ? Table[Key] extends { default: unknown }
      ? T
      : T | undefined
    : never;
};

export interface ProgramLine {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  /** Environment prefixes, the first one is shown in help: `ROLLUP_NODE_`, `OP_NODE_`. */
  readonly envPrefixes: readonly string[];
}

export interface ParsedLine<Table> {
  readonly values: OptionValues<Table>;
  /** Keys whose value was given by flag or environment, not by default. */
  readonly explicit: ReadonlySet<keyof Table>;
  /** Words that are no options. */
  readonly operands: readonly string[];
}

/**
 * Parses a program's arguments against its table. Single-dash long options are accepted too, as Go programs do.
 * @throws Failure `usage` (exit 2) with every problem; `help` (exit 0) with the text to print on --help or --version
 */
export function parseOptions<const Table extends Record<string, OptionSpec>>(
  line: ProgramLine,
  table: Table,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedLine<Table> {
  const entries: readonly [string, OptionSpec][] = Object.entries(table);
  const { flags, operands } = parseFlags(
    line,
    entries.map(([, spec]) => spec),
    argv,
  );
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const explicit = new Set<string>();
  for (const [key, spec] of entries) {
    const setting = settingOf(line, spec, flags.get(spec.name), env);
    if (setting === undefined) {
      values[key] = spec.default;
      continue;
    }
    explicit.add(key);
    try {
      values[key] = spec.type.parse(setting.text);
    } catch (error) {
      problems.push(`${setting.source}: ${asError(error).message}`);
    }
  }
  if (problems.length > 0) throw usage(line, problems);
  return { values: values as OptionValues<Table>, explicit: explicit, operands };
}

/** The texts of each flag in the arguments, by its name, and the words that are no options. */
interface Flags {
  readonly flags: ReadonlyMap<string | undefined, readonly string[] | undefined>;
  readonly operands: readonly string[];
}

/** Reads the flags of the arguments. @throws Failure `usage`, `help` */
function parseFlags(line: ProgramLine, specs: readonly OptionSpec[], argv: readonly string[]): Flags {
  const command = new Command(line.name)
    .description(line.summary)
    .version(line.version, '-v, --version')
    .allowExcessArguments()
    .argument('[operands...]');
  command.exitOverride();
  let output = '';
  command.configureOutput({ writeOut: (text) => (output += text), writeErr: (text) => (output += text) });
  for (const spec of mentioned(specs, argv)) command.addOption(flagOf(line, spec));
  try {
    command.parse(normalise(specs, argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new Failure('help', output.trimEnd(), { exit: EXIT.done });
    throw usage(line, [output.replace(/^error: /, '').trim() || error.message]);
  }
  const flags = new Map(
    command.options.map((flag) => [
      flag.long?.slice(2),
      command.getOptionValue(flag.attributeName()) as string[] | undefined,
    ]),
  );
  return { flags, operands: command.args };
}

/** Creates the flag of an option. Its value is the list of its texts. */
function flagOf(line: ProgramLine, spec: OptionSpec): Option {
  const flag = new Option(
    `--${spec.name} ${spec.type.boolean ? `[${spec.type.label}]` : `<${spec.type.label}>`}`,
    helpText(line, spec),
  );
  flag.argParser((text: string, earlier: string[] | undefined) => {
    if (spec.type.boolean || spec.type.list) return [...(earlier ?? []), text];
    return [text];
  });
  if (spec.type.boolean) flag.preset('true');
  return flag;
}

/** Returns the text of an option and its source: its flag, else a variable of the environment; undefined: neither. */
function settingOf(
  line: ProgramLine,
  spec: OptionSpec,
  flag: readonly string[] | undefined,
  env: Readonly<Record<string, string | undefined>>,
): { readonly text: string; readonly source: string } | undefined {
  const text = spec.type.list ? flag?.join(',') : flag?.at(-1);
  if (text !== undefined) return { text, source: `--${spec.name}` };
  if (spec.env === undefined) return undefined;
  for (const prefix of line.envPrefixes) {
    const source = prefix + spec.env;
    const value = env[source];
    if (value !== undefined && value !== '') return { text: value, source };
  }
  return undefined;
}

/**
 * Returns the options that the arguments name, or all of them if an argument is unknown.
 * Making an option costs more than reading it, and a program has a hundred. Help and suggestions need all.
 */
function mentioned(specs: readonly OptionSpec[], argv: readonly string[]): readonly OptionSpec[] {
  const names = new Set(
    argv.filter((word) => word.startsWith('-')).map((word) => word.replace(/^--?/, '').split('=', 1)[0]),
  );
  const matches = specs.filter(({ name }) => names.has(name));
  return matches.length === names.size ? matches : specs;
}

function usage(line: ProgramLine, problems: string[]): Failure {
  return new Failure('usage', `${line.name}: ${problems.join('\n  ')}`, {
    exit: EXIT.usage,
    data: { problems },
    hint: `${line.name} --help lists the options`,
  });
}

function helpText(line: ProgramLine, spec: OptionSpec<unknown>): string {
  const shownDefault =
    spec.defaultText ??
    (spec.default === undefined
      ? undefined
      : Array.isArray(spec.default)
        ? spec.default.join(',')
        : String(spec.default));
  return (
    spec.help +
    (shownDefault === undefined || shownDefault === '' ? '' : ` (default: ${shownDefault})`) +
    (spec.env === undefined ? '' : ` [$${line.envPrefixes[0]}${spec.env}]`)
  );
}

/** `-name=value` becomes `--name=value`; a boolean never swallows the next word unless it is true or false. */
function normalise(specs: readonly OptionSpec<unknown>[], argv: readonly string[]): string[] {
  const byName = new Map(specs.map((spec) => [spec.name, spec]));
  const result: string[] = [];
  for (let at = 0, word = argv[at]; word !== undefined; word = argv[++at]) {
    const [, name = '', value] = /^--?([^-=][^=]*)(=.*)?$/s.exec(word) ?? [];
    const spec = word.length > 2 ? byName.get(name) : undefined;
    if (spec === undefined) {
      // Without its value, an unknown option is near enough to a known one for a suggestion.
      result.push(value === undefined ? word : word.slice(0, -value.length));
    } else if (value !== undefined) {
      result.push(`--${name}${value}`);
    } else if (spec.type.boolean) {
      const next = argv[at + 1];
      if (next === 'true' || next === 'false') at++;
      result.push(`--${name}=${next === 'false' ? 'false' : 'true'}`);
    } else {
      result.push(`--${name}`);
    }
  }
  return result;
}
