import { EXIT, Failure } from '../../../system/failure.ts';
import type { CommandDefinition, OptionDefinition } from './command.ts';

type Script = (words: Words) => string;

/** What can follow, by the words before: `''` is the command line's beginning. */
interface Words {
  /** Next words by a command, or by the first word of commands of two. */
  readonly next: ReadonlyMap<string, readonly string[]>;
  /** Values of options by `<command> <flag>`. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** What is followed by a word of a command, never by a file. */
  readonly beginnings: ReadonlySet<string>;
}

const SCRIPTS: Readonly<Record<string, Script>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Shells that completion scripts are made for. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

/** Names that an argument may have, by its syntax. */
export type Names = Readonly<Record<string, readonly string[]>>;

/** Writes the completion of all commands for a shell. @throws Failure `usage` (exit 2) for an unknown shell */
export function completionScript(shell: string, definitions: readonly CommandDefinition[], names: Names): string {
  const script = SCRIPTS[shell];
  if (script === undefined)
    throw new Failure('usage', `completion: expected one of ${SHELLS.join(', ')}, found ${JSON.stringify(shell)}`, {
      exit: EXIT.usage,
    });
  return script(wordsOf(definitions, names));
}

function wordsOf(definitions: readonly CommandDefinition[], names: Names): Words {
  const next = new Map<string, string[]>([['', []]]);
  const values = new Map<string, readonly string[]>();
  const add = (before: string, word: string) => {
    const words = next.get(before) ?? [];
    if (!words.includes(word)) words.push(word);
    next.set(before, words);
  };
  for (const definition of definitions) {
    const { name, options, arguments: args } = definition;
    const [first = '', second] = name.split(' ');
    add('', first);
    if (second !== undefined) add(first, second);
    for (const { syntax } of args) for (const word of names[syntax] ?? []) add(name, word);
    for (const option of options) {
      for (const flag of flagsOf(option)) add(name, flag);
      if (option.choices !== undefined)
        for (const flag of flagsOf(option)) values.set(`${name} ${flag}`, option.choices);
    }
    add(name, '--help');
  }
  const whole = new Set(definitions.map(({ name }) => name));
  const beginnings = new Set(
    ['', ...definitions.flatMap(({ name }) => name.split(' ', 1))].filter((word) => !whole.has(word)),
  );
  return { next, values, beginnings };
}

function flagsOf({ flags }: OptionDefinition): readonly string[] {
  return flags.match(/--?[a-z][a-z-]*/g) ?? [];
}

/** Names and words hold letters, digits and `-`, so that single quotes suffice. */
function cases(map: ReadonlyMap<string, readonly string[]>, line: (words: string) => string): string {
  return [...map].map(([before, words]) => `    '${before}') ${line(words.join(' '))} ;;`).join('\n');
}

function bashScript({ next, values }: Words): string {
  return `# devnet completion for bash: source <(devnet completion bash)
_devnet_next() {
  case "$1" in
${cases(next, (words) => `echo '${words}'`)}
  esac
}
_devnet_values() {
  case "$1" in
${cases(values, (words) => `echo '${words}'`)}
  esac
}
_devnet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" words=""
  if (( COMP_CWORD > 1 )); then command="\${COMP_WORDS[1]}"; fi
  if (( COMP_CWORD > 2 )) && [[ -n "$(_devnet_next "$command \${COMP_WORDS[2]}")" ]]; then
    command="$command \${COMP_WORDS[2]}"
  fi
  words="$(_devnet_values "$command \${COMP_WORDS[COMP_CWORD-1]}")"
  if [[ -z "$words" ]]; then words="$(_devnet_next "$command")"; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _devnet devnet rollup-devnet
`;
}

/** zsh runs the script for bash by its own compatibility layer. */
function zshScript(words: Words): string {
  const script = bashScript(words)
    .replace(/^# .*\n/, '')
    .replace(/^ {2}mapfile .*$/m, '  COMPREPLY=( $(compgen -W "$words" -- "$current") )');
  return `# devnet completion for zsh: source <(devnet completion zsh)
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${script}`;
}

function fishScript({ next, values, beginnings }: Words): string {
  const condition = (before: string) => {
    if (before === '') return '__fish_use_subcommand';
    return before
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  };
  const line = (before: string, words: readonly string[], rest = '') =>
    `complete -c devnet -n '${condition(before)}'${rest} -a '${words.join(' ')}'`;
  return [
    '# devnet completion for fish: devnet completion fish | source',
    ...[...next].map(([before, words]) => line(before, words, beginnings.has(before) ? ' -f' : '')),
    ...[...values].map(([key, words]) => {
      const [flag = '', ...command] = key.split(' ').reverse();
      const name = flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`;
      return line(command.reverse().join(' '), words, `${name} -x`);
    }),
    '',
  ].join('\n');
}
