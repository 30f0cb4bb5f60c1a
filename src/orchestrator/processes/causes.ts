import type { Exit } from '../../system/process/process.ts';

/** A known cause of an exit: its sign in the last lines or in the exit, its meaning, the remedy. */
interface KnownCause {
  readonly sign: RegExp | ((exit: Exit) => boolean);
  /** `{found}` is replaced by the text of the sign, `{el}` and `{cl}` by the node's processes. */
  readonly cause: string;
  readonly hint: string;
}

const CAUSES: readonly KnownCause[] = [
  {
    sign: /L1 was reorganised below its finality: .*? because of it|cannot reorg finalized block.*/,
    cause: '{found}',
    hint: 'L1 blocks of a devnet are final after two blocks. Set `l1: { finality: real }` (64) and start it anew',
  },
  {
    sign: /EADDRINUSE|address already in use|Address in use|port .* (?:is )?(?:already )?in use/i,
    cause: 'a port that it listens on was taken by another program',
    hint: '`devnet doctor` lists the holders of all ports',
  },
  {
    sign: /stale token|future token|tokens are valid for|\biat\b.*(?:not within|too (?:old|far))|token is expired/i,
    cause: 'the clocks of {el} and {cl} are more than 60 s apart, so that no JWT is valid (HTTP 401)',
    hint: 'set both clocks alike; a process under faketime or in a container has a clock of its own',
  },
  {
    sign: /\b401\b|Unauthorized|invalid (?:jwt|token)|token signature|invalid signature/i,
    cause: 'the JWT secrets of the two sides differ (HTTP 401): {el} and {cl} must read the same file',
    hint: 'compare `--authrpc.jwtsecret` of {el} with `--l2.jwt-secret` of {cl}, and the clocks of both',
  },
  {
    sign: /L1 genesis is \S+ the rollup configuration says/,
    cause:
      'block 0 of L1 is not the one that was computed: the L1 client was given other options than its template has',
    hint: "what decides L1's first block stands in the spec (`l1.hardfork`), not in `l1.args`",
  },
  {
    sign: /genesis.*(?:mismatch|incompatible|differ|does not match)|(?:mismatch|incompatible|wrong).*genesis/i,
    cause: 'its data folder was initialised with another genesis',
    hint: '`devnet down` removes the data; with a genesis of your own, give the file it was initialised from',
  },
  {
    sign: /ENOSPC|EDQUOT|no space left on device|os error 28|database or disk is full/i,
    cause: 'the disk is full',
    hint: 'free some space; `devnet ls` shows which devnets are kept, `devnet gc` empties the cache',
  },
  {
    sign: /EMFILE|ENFILE|too many open files/i,
    cause: 'it may not open more files: `ulimit -n` is too low',
    hint: 'raise the limit: ulimit -n 65536',
  },
  {
    sign: /heap out of memory|Cannot allocate memory|ENOMEM/i,
    cause: 'it ran out of memory',
    hint: 'give the machine more memory, or run fewer nodes',
  },
  {
    sign: /unknown (?:option|flag|argument)|unexpected argument|flag provided but not defined|unrecognized option/i,
    cause: 'it does not know an option that it was given: another version of the client than its template expects',
    hint: 'drop the option in the spec (`args: { name: null }`) or use the version that the template names',
  },
  {
    sign: /EACCES|permission denied/i,
    cause: 'it may not read or write a file',
    hint: 'look at the owner and mode of the files in the command',
  },
  {
    sign: (exit) => exit.signal === 'SIGKILL' || exit.code === 137,
    cause: 'it was killed with SIGKILL (137): by a user, or by the kernel because memory ran out',
    hint: 'the kernel says so: dmesg | grep -i "out of memory"',
  },
  {
    sign: (exit) => exit.signal === 'SIGXFSZ',
    cause: 'it wrote a larger file than it may (`ulimit -f`)',
    hint: 'raise the limit: ulimit -f unlimited',
  },
  {
    sign: (exit) => exit.signal === 'SIGSEGV' || exit.signal === 'SIGABRT' || exit.signal === 'SIGILL',
    cause: 'the program crashed, which no option should make it do',
    hint: 'try another version of it, and report it to its makers with the lines below',
  },
];

/**
 * Returns the likely cause by the last lines and the exit.
 * `node` is the name of the task's node. `words` are those of the node's commands: options in a hint are quoted with
 * their values.
 */
export function likelyCause(
  lines: readonly string[],
  exit: Exit | undefined,
  node: string | undefined,
  words: readonly string[] = [],
): { readonly cause: string; readonly hint: string } | undefined {
  const text = lines.join('\n');
  const entry = CAUSES.find(({ sign }) =>
    sign instanceof RegExp ? sign.test(text) : exit !== undefined && sign(exit),
  );
  const match = entry?.sign instanceof RegExp ? entry.sign.exec(text)?.[0] : undefined;
  const withNames = (sentence: string) =>
    sentence
      .replaceAll('{found}', match ?? '')
      .replaceAll('{el}', node === undefined ? 'its execution client' : `${node}/el`)
      .replaceAll('{cl}', node === undefined ? 'its rollup node' : `${node}/cl`)
      .replace(/`(--[\w.-]+)`/g, (quoted, option: string) => {
        const argument = words.find((word) => word.startsWith(`${option}=`));
        return argument === undefined ? quoted : `\`${argument}\``;
      });
  return entry && { cause: withNames(entry.cause), hint: withNames(entry.hint) };
}
