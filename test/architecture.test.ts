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

/** The nine programs. The other folders of `nodes` hold what they share. */
const PROGRAMS = [
  'batcher',
  'beacon',
  'challenger',
  'conductor',
  'da-server',
  'execution',
  'proposer',
  'rollup',
  'signer',
];
const otherPrograms = (program: string) =>
  new RegExp(`^nodes/(${PROGRAMS.filter((name) => name !== program).join('|')})/`);

const IO = /^(node:(?!path$)|\.\.\/)|^(system|rpc)\//;

/** Files of these folders that are plain data. */
const WITHOUT_IO: ReadonlySet<string> = new Set([
  'system/failure.ts',
  'system/numbers/human.ts',
  'system/numbers/schema.ts',
  'system/program/shell-quote.ts',
]);

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
    reason: 'the EVM knows rules and no program: the execution client drives it',
    from: /^evm\//,
    never: /^(nodes|orchestrator|rpc|system|build)\//,
  },
  {
    reason: 'the execution client alone runs our own EVM',
    from: /^(?!evm\/|build\/|nodes\/execution\/)/,
    never: /^evm\//,
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
    reason: 'a program imports no other program: challenger',
    from: /^nodes\/challenger\//,
    never: otherPrograms('challenger'),
  },
  {
    reason: 'a program imports no other program: signer',
    from: /^nodes\/signer\//,
    never: otherPrograms('signer'),
  },
  {
    reason: 'a program imports no other program: da-server',
    from: /^nodes\/da-server\//,
    never: otherPrograms('da-server'),
  },
  {
    reason: 'a program imports no other program: conductor',
    from: /^nodes\/conductor\//,
    never: otherPrograms('conductor'),
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
    from: /^orchestrator\/(?!runtimes\/)/,
    never: /^orchestrator\/runtimes\/docker\/(?!containers\.ts)/,
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
            .filter((name) => rule.never.test(name) && !(rule.never === IO && WITHOUT_IO.has(name)))
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
    const exceptions = /eip1559DenominatorCanyon|setGasConfigEcotone/g;
    const broken = files
      .filter((file) => !file.startsWith('protocol/forks/'))
      .filter((file) => names.test(codeOf(sources.get(file) ?? '').replace(exceptions, '')));
    expect(broken).toEqual([]);
  });

  it('the name of a flavour stands in its folder only: no code compares it', () => {
    const broken = files
      .filter((file) => file.startsWith('nodes/execution/') && !file.startsWith('nodes/execution/flavours/'))
      .filter((file) => /'(go|rust)'/.test(codeOf(sources.get(file) ?? '')));
    expect(broken).toEqual([]);
  });

  it('imports form no circle of files, those of types and lazy ones included', () => {
    expect(circles(graphOf(files))).toEqual([]);
  });

  it('no two folders import each other, types included', () => {
    const pairs = new Map<string, string[]>();
    for (const [file, targets] of graphOf(files))
      for (const target of targets.filter((name) => dirname(name) !== dirname(file))) {
        const pair = `${dirname(file)} > ${dirname(target)}`;
        pairs.set(pair, [...(pairs.get(pair) ?? []), `${file} imports ${target}`]);
      }
    const mutual = [...pairs].filter(([pair]) => pairs.has(pair.split(' > ').reverse().join(' > ')));
    expect(mutual.flatMap(([, imports]) => imports)).toEqual([]);
  });

  it('a folder has at most 20 files, but for those with one file per thing', () => {
    const counts = Map.groupBy(files, (file) => dirname(file));
    const full = [...counts].filter(([folder, inside]) => inside.length > 20 && FOLDERS_OF_KINDS[folder] === undefined);
    expect(full.map(([folder, inside]) => `${folder} has ${inside.length} files`)).toEqual([]);
    const needless = Object.keys(FOLDERS_OF_KINDS).filter((folder) => (counts.get(folder)?.length ?? 0) <= 20);
    expect(needless).toEqual([]);
  });

  it('a folder of what runs a devnet has at most 15 files', () => {
    const counts = Map.groupBy(files, (file) => dirname(file));
    const full = RUNNING_FOLDERS.filter((folder) => (counts.get(`orchestrator/${folder}`)?.length ?? 16) > 15);
    expect(full).toEqual([]);
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

  it('half of the files have under 80 lines', () => {
    const lengths = files.map((file) => (sources.get(file) ?? '').split('\n').length).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(80);
  });

  it('a function has at most 80 lines', () => {
    expect([...sources].flatMap(([file, text]) => longFunctions(file, text))).toEqual([]);
  });
});

/** Folders that may have more than 20 files, each with its reason. */
const FOLDERS_OF_KINDS: Readonly<Record<string, string>> = {
  'nodes/execution/methods': 'one file per namespace of RPC methods, or per subject of a large one',
  'orchestrator/cli/commands': 'one file per command',
  'orchestrator/scenario/steps': 'one file per step',
  'protocol/forks': 'one file per fork',
};

/** Folders of the orchestrator that a devnet's processes are run from. One that is gone counts as full. */
const RUNNING_FOLDERS = ['guard', 'processes', 'control', 'folder', 'change', 'record', 'runtimes', 'clock'];

/** Tests that run a whole program and import one module beside it. */
const RUNS_WHOLE_PROGRAM: ReadonlySet<string> = new Set([
  'nodes/gossip/network.test.ts',
  'nodes/rollup/network.test.ts',
  'nodes/rollup/runtime-config.test.ts',
  'nodes/rollup/scenario.test.ts',
]);

/** Lists the tests of the areas that mirror src, relative to test. */
function mirroredTests(): readonly string[] {
  const areas = ['build', 'evm', 'launch', 'library', 'nodes', 'orchestrator', 'protocol', 'rpc', 'system'];
  return areas
    .filter((area) => existsSync(join(root, 'test', area)))
    .flatMap((area) =>
      readdirSync(join(root, 'test', area), { recursive: true, encoding: 'utf8' }).map((file) => join(area, file)),
    )
    .filter((file) => file.endsWith('.test.ts'));
}

/** Returns the folder below a test's own that holds every module of this area that the test imports. */
function deeperFolder(file: string): string | undefined {
  const place = dirname(file);
  const text = readFileSync(join(root, 'test', file), 'utf8');
  const below = [...text.matchAll(/'(\.[^']+\.ts)'/g)]
    .map((match) => dirname(relative(src, resolve(root, 'test', place, match[1] as string))))
    .filter((folder) => folder === place || folder.startsWith(`${place}/`));
  const next = new Set(below.map((folder) => folder.slice(place.length + 1).split('/')[0]));
  return next.size === 1 && !next.has('') ? join(place, [...next][0] as string) : undefined;
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

/** Edges that bind nothing: a registry, which `make build` writes, loads the modules of a folder by their names. */
const UNBOUND: readonly { readonly from: RegExp; readonly reason: string }[] = [
  { from: /(^|\/|-)registry\.ts$/, reason: 'make build writes it from the files of a folder' },
];

/** Returns the imports between own files, those of types and lazy ones included. */
function graphOf(all: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const members = new Set(all);
  const targetsOf = (file: string) =>
    UNBOUND.some(({ from }) => from.test(file)) ? [] : importsOf(file).filter((name) => members.has(name));
  return new Map(all.map((file) => [file, targetsOf(file)]));
}

/** Returns a path through each circle of a graph. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const paths: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      paths.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file, []);
  return paths;
}

/** Lists the functions of a file with more than 80 lines. */
function longFunctions(file: string, text: string): { readonly name: string; readonly lines: number }[] {
  const long: { name: string; lines: number }[] = [];
  const lineOf = (position: number) => text.slice(0, position).split('\n').length;
  const see = (start: number, end: number, name: string | undefined) => {
    const lines = end - start < 80 ? 0 : lineOf(end) - lineOf(start) + 1;
    if (lines > 80) long.push({ name: `${file} ${name ?? ''}`.trim(), lines });
  };
  new Visitor({
    FunctionDeclaration: ({ start, end, id }) => see(start, end, id?.name),
    FunctionExpression: ({ start, end, id }) => see(start, end, id?.name),
    ArrowFunctionExpression: ({ start, end }) => see(start, end, undefined),
  }).visit(parseSync(file, text).program);
  return long;
}
