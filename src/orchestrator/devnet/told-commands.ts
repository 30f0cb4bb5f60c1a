import type { Io } from '../terminal/io.ts';
import { programAt } from './no-answer.ts';
import { isMeantWithoutName } from './select.ts';

/** Commands that are not about one devnet that exists: their `--name`, if they have one, names a new one. */
export const ABOUT_NO_DEVNET: ReadonlySet<string> = new Set([
  'attach',
  'clients',
  'clients lint',
  'completion',
  'doctor',
  'exec',
  'explain',
  'export compose',
  'export k8s',
  'gc',
  'image build',
  'image save',
  'init',
  'ls',
  'mcp',
  'plan',
  'pool',
  'run',
  'schema',
  'snapshot ls',
  'snapshot rm',
  'spec',
  'up',
  'upgrade-bundle',
  'validate',
]);

/** Surroundings whose texts have commands that run as they are. */
export type TellingIo = Io & Required<Pick<Io, 'runnable' | 'programAt'>>;

/** Commands in backticks: the whole text between them, or the argument of `eval` or `source`. */
const QUOTED = /`devnet(?: ([^`\n]*))?`|([$<])\(devnet ([^)\n]*)\)/g;

/**
 * Returns surroundings whose texts for people have commands that run as they are: `` `devnet status` `` becomes
 * `` `npx devnet status --name NAME` `` if that is how this installation is called and a command without a name
 * means another devnet.
 */
export function tellingIo(host: Io, about?: string): TellingIo {
  let subject = about;
  const program = host.program ?? 'devnet';
  const call = (words: string) => {
    const parts = words.trim().split(/\s+/);
    const name = nameToAdd(host, parts, subject);
    return [program, ...parts.filter((word) => word !== ''), ...(name === undefined ? [] : ['--name', name])].join(' ');
  };
  const runnable = (text: string) =>
    text.replace(QUOTED, (_, whole: string | undefined, sign: string | undefined, inner: string | undefined) =>
      inner === undefined ? `\`${call(whole ?? '')}\`` : `${sign}(${call(inner)})`,
    );
  return {
    ...host,
    runnable,
    stdout: (text) => host.stdout(runnable(text)),
    stderr: (text) => host.stderr(runnable(text)),
    about: (name) => (subject = name),
    programAt: (url) => (subject === undefined ? undefined : programAt(host, subject, url)),
  };
}

/** Returns the name that a command line needs to mean the subject; undefined if it needs none. */
function nameToAdd(io: Io, words: readonly string[], subject: string | undefined): string | undefined {
  const [first = '', second = ''] = words;
  const isCommand = /^[a-z]/.test(first);
  if (subject === undefined || !isCommand || ABOUT_NO_DEVNET.has(first) || ABOUT_NO_DEVNET.has(`${first} ${second}`))
    return undefined;
  const isNamed = words.includes('--name') || words.includes('--all') || words.includes(subject);
  return isNamed || isMeantWithoutName(io, subject) ? undefined : subject;
}
