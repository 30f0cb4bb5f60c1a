import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { FORKS } from '../src/protocol/forks/index.ts';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort();
const sources = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));

/** What a file imports: own files relative to src, packages and `node:` modules by name. */
function importsOf(file: string): string[] {
  const text = sources.get(file) ?? '';
  const specifiers = [...text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\()\s*'([^']+)'/g)].map(
    (match) => match[1] as string,
  );
  return specifiers.map((name) => (name.startsWith('.') ? relative(src, resolve(src, dirname(file), name)) : name));
}

interface Rule {
  readonly reason: string;
  readonly from: RegExp;
  readonly never: RegExp;
  /** Files that may, each with its reason. */
  readonly except?: Readonly<Record<string, string>>;
}

/** The five programs. The other folders of `nodes` hold what they share. */
const PROGRAMS = ['batcher', 'beacon', 'execution', 'proposer', 'rollup'];
const otherPrograms = (own: string) => new RegExp(`^nodes/(${PROGRAMS.filter((name) => name !== own).join('|')})/`);

const IO = /^(node:(?!path$)|\.\.\/)|^(system|rpc)\//;

const rules: readonly Rule[] = [
  {
    reason: 'the process boundary is the module boundary: the orchestrator knows clients only through templates',
    from: /^orchestrator\//,
    never: /^nodes\//,
  },
  { reason: 'a node runs without its launcher', from: /^nodes\//, never: /^orchestrator\// },
  {
    reason: 'protocol is the specification: no input, output, clock or other module',
    from: /^protocol\//,
    never: /^node:|^(?!protocol\/)[a-z]+\/.*\.ts$/,
  },
  {
    reason: 'spec, template and plan are pure: what they need from outside comes in as a value',
    from: /^orchestrator\/(spec|template|plan)\//,
    never: IO,
    except: {},
  },
  {
    reason: 'rpc carries methods, it does not know any node',
    from: /^rpc\//,
    never: /^(nodes|orchestrator|protocol)\//,
  },
  {
    reason: 'system stands before the operating system, below everything',
    from: /^system\//,
    never: /^(nodes|orchestrator|protocol|rpc|contracts|bin)\//,
  },
  {
    reason: 'what the programs share knows none of them',
    from: new RegExp(`^nodes/(?!(${PROGRAMS.join('|')})/)`),
    never: otherPrograms(''),
  },
  {
    reason: 'a program imports no other program: rollup',
    from: /^nodes\/rollup\//,
    never: otherPrograms('rollup'),
  },
  {
    reason: 'a program imports no other program: batcher',
    from: /^nodes\/batcher\//,
    never: otherPrograms('batcher'),
  },
  {
    reason: 'a program imports no other program: proposer',
    from: /^nodes\/proposer\//,
    never: otherPrograms('proposer'),
  },
  {
    reason: 'a program imports no other program: beacon',
    from: /^nodes\/beacon\//,
    never: otherPrograms('beacon'),
  },
  {
    reason: 'a program imports no other program: execution',
    from: /^nodes\/execution\//,
    never: otherPrograms('execution'),
  },
  {
    reason: 'the differences between op-geth and op-reth are asked for through the Flavour interface',
    from: /^nodes\/execution\/(?!flavours\/)/,
    never: /^nodes\/execution\/flavours\/(go|rust)\//,
  },
  {
    reason: 'what commands share knows no command',
    from: /^orchestrator\/(?!cli\/)/,
    never: /^orchestrator\/cli\//,
  },
  {
    reason: 'a command is loaded by its name: no other command, and nothing that runs commands, imports it',
    from: /^orchestrator\/cli\/(?!registry\.ts)/,
    never: /^orchestrator\/cli\/commands\//,
  },
  {
    reason: 'nothing above the runtimes knows in what a task runs',
    from: /^orchestrator\/(?!runtimes\/|supervisor\/runtimes\.ts)/,
    never: /^orchestrator\/runtimes\/(docker\/(?!containers\.ts)|process\.ts)/,
  },
  {
    reason: 'the library calls what the commands call, and no command',
    from: /^library\//,
    never: /^(nodes|bin|launch|orchestrator\/cli)\//,
  },
  {
    reason: 'the library is for users: nothing of the program imports it',
    from: /^(?!library\/)/,
    never: /^library\//,
  },
  { reason: 'no file imports a composition root', from: /./, never: /^bin\// },
  {
    reason: 'processes, files, sockets and time are reached through system',
    from: /^(library|nodes|orchestrator)\//,
    never: /^node:(child_process|fs|fs\/promises|net|dgram|os|worker_threads)$/,
    except: {},
  },
];

describe('architecture', () => {
  for (const rule of rules)
    it(rule.reason, () => {
      const broken = files
        .filter((file) => rule.from.test(file) && rule.except?.[file] === undefined)
        .flatMap((file) =>
          importsOf(file)
            .filter((name) => rule.never.test(name) && !(rule.never === IO && name === 'system/failure.ts'))
            .map((name) => `${file} imports ${name}`),
        );
      expect(broken).toEqual([]);
    });

  it('only composition roots end a process', () => {
    const broken = files.filter(
      (file) =>
        !file.startsWith('bin/') &&
        !file.startsWith('build/') &&
        /\bprocess\.(exit\(|abort\(|reallyExit)/.test(sources.get(file) ?? ''),
    );
    expect(broken).toEqual([]);
  });

  it('composition roots stay under 30 lines', () => {
    const long = files.filter((file) => file.startsWith('bin/') && (sources.get(file) ?? '').split('\n').length > 31);
    expect(long).toEqual([]);
  });

  it('a file below cli/commands exports its command alone, and no other file of cli exports one', () => {
    const exported = files
      .filter((file) => file.startsWith('orchestrator/cli/'))
      .map((file) => [file, exportsOf(file)] as const);
    const isCommand = (file: string) => file.startsWith('orchestrator/cli/commands/');
    expect(exported.filter(([file]) => isCommand(file)).length).toBeGreaterThan(40);
    expect(exported.filter(([file, names]) => isCommand(file) && names.join() !== 'command')).toEqual([]);
    expect(exported.filter(([file, names]) => !isCommand(file) && names.includes('command'))).toEqual([]);
  });

  it("a fork's name stands in protocol/forks only: everything else asks for the rules in force", () => {
    // These two are words of their own, too.
    const ambiguous = ['bedrock', 'delta'];
    const listed = FORKS.map(({ name }) => name).filter((name) => !ambiguous.includes(name));
    const names = new RegExp(listed.join('|'), 'i');
    // Keys of rollup.json and methods of SystemConfig have the names of forks.
    const given = /eip1559DenominatorCanyon|setGasConfigEcotone/g;
    const broken = files
      .filter((file) => !file.startsWith('protocol/forks/'))
      .filter((file) => names.test(codeOf(sources.get(file) ?? '').replace(given, '')));
    expect(broken).toEqual([]);
  });

  it('the name of a flavour stands in its folder only: no code compares it', () => {
    const broken = files
      .filter((file) => file.startsWith('nodes/execution/') && !file.startsWith('nodes/execution/flavours/'))
      .filter((file) => /'(go|rust)'/.test(codeOf(sources.get(file) ?? '')));
    expect(broken).toEqual([]);
  });

  it('imports form no cycle', () => {
    expect(cycles()).toEqual([]);
  });

  it('a test stands in the folder that mirrors the folder of the code that it tests', () => {
    const folders = new Set(files.map((file) => dirname(file)));
    const exists = (folder: string) => [...folders].some((each) => each === folder || each.startsWith(`${folder}/`));
    expect(mirroredTests().filter((file) => !exists(dirname(file)))).toEqual([]);
    const misplaced = mirroredTests().flatMap((file) => {
      const deeper = deeperFolder(file);
      return deeper === undefined || RUNS_WHOLE_PROGRAM.has(file) ? [] : [`${file} tests ${deeper} only`];
    });
    expect(misplaced).toEqual([]);
  });

  it('casts stand at borders only: parsing and libraries, at most 100', () => {
    const casts = [...sources].flatMap(([file, text]) => castsIn(file, text));
    expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(100);
  });

  it('files stay small: half of them under 80 lines, hardly one past 250, none past 320', () => {
    const lengths = files
      .map((file) => ({ file, lines: (sources.get(file) ?? '').split('\n').length }))
      .sort((a, b) => a.lines - b.lines);
    expect(lengths[Math.floor(lengths.length / 2)]?.lines).toBeLessThan(80);
    expect(lengths.filter(({ lines }) => lines > 250).length).toBeLessThan(0.02 * files.length);
    expect(lengths.filter(({ lines }) => lines > 320)).toEqual([]);
  });
});

/** Tests that run a whole program and import one module beside it. */
const RUNS_WHOLE_PROGRAM: ReadonlySet<string> = new Set([
  'nodes/gossip/network.test.ts',
  'nodes/rollup/network.test.ts',
  'nodes/rollup/runtime-config.test.ts',
  'nodes/rollup/scenario.test.ts',
]);

/** Lists the tests of the areas that mirror src, relative to test. */
function mirroredTests(): readonly string[] {
  const areas = ['build', 'launch', 'library', 'nodes', 'orchestrator', 'protocol', 'rpc', 'system'];
  return areas
    .filter((area) => existsSync(join(root, 'test', area)))
    .flatMap((area) =>
      readdirSync(join(root, 'test', area), { recursive: true, encoding: 'utf8' }).map((file) => join(area, file)),
    )
    .filter((file) => file.endsWith('.test.ts'));
}

/** Returns the folder below a test's own that holds every module of this area that the test imports. */
function deeperFolder(file: string): string | undefined {
  const own = dirname(file);
  const text = readFileSync(join(root, 'test', file), 'utf8');
  const below = [...text.matchAll(/'(\.[^']+\.ts)'/g)]
    .map((match) => dirname(relative(src, resolve(root, 'test', own, match[1] as string))))
    .filter((folder) => folder === own || folder.startsWith(`${own}/`));
  const next = new Set(below.map((folder) => folder.slice(own.length + 1).split('/')[0]));
  return next.size === 1 && !next.has('') ? join(own, [...next][0] as string) : undefined;
}

/** Lists the casts of a file with their positions. `as const` is none, and `as unknown as T` is one. */
function castsIn(file: string, text: string): string[] {
  const casts: string[] = [];
  new Visitor({
    TSAsExpression({ expression, start, typeAnnotation }) {
      const isConst = typeAnnotation.type === 'TSTypeReference' && text.slice(typeAnnotation.start).startsWith('const');
      const isUnknown = typeAnnotation.type === 'TSUnknownKeyword';
      if (!isConst && !isUnknown) casts.push(`${file}:${text.slice(0, start).split('\n').length} ${expression.type}`);
    },
  }).visit(parseSync(file, text).program);
  return casts;
}

/** Names that a file exports where it declares them. */
function exportsOf(file: string): string[] {
  const declared = /^export (?:default |async |abstract )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  return [...(sources.get(file) ?? '').matchAll(declared)].map((match) => match[1] as string);
}

/** A source without its comments: prose may name a fork to explain a rule. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

/** Cycles of value imports; a type import is erased and binds nothing at run time. */
function cycles(): string[] {
  const graph = new Map(
    files.map((file) => {
      const text = (sources.get(file) ?? '').replace(/\bimport type [\s\S]*?;/g, '').replace(/\bimport\(/g, 'lazy(');
      const targets = [...text.matchAll(/(?:\bfrom\s+|\bimport\s+)'(\.[^']+)'/g)].map((match) =>
        relative(src, resolve(src, dirname(file), match[1] as string)),
      );
      return [file, targets] as const;
    }),
  );
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file, []);
  return found;
}
