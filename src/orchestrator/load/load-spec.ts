import { dirname } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { readJson } from '../../system/files/atomic-write.ts';
import { programFault } from '../../system/process/executable.ts';
import type { ParsedSpec } from '../spec/parse.ts';
import type { Spec } from '../spec/schema/types.ts';
import { DOCUMENT_LIMITS } from '../spec/text/bounds.ts';
import { type Problem, renderProblems } from '../spec/text/problem.ts';
import type { Assignment } from '../spec/text/set.ts';
import type { Source } from '../spec/text/source.ts';
import type { LoadedTemplate } from '../template/load.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { Io } from '../terminal/io.ts';
import { type FoundSpec, findSpec } from './find-spec.ts';
import { keptSpecs } from './kept-spec.ts';
import type { LoadedSpec, SpecInput } from './loaded-spec.ts';
import { bundleOrigins, clientNames, clientSource, sample, sampleNames, source } from './package-files.ts';

/**
 * Loads the spec of a command line with its clients, from the cache if the texts are unchanged.
 * @throws Failure `spec` (exit 2) with every problem
 */
export async function loadSpec(
  io: Pick<Io, 'cwd' | 'env'>,
  input: SpecInput,
  now = Date.now() / 1000,
): Promise<LoadedSpec> {
  const original = findSpec(io.cwd, input.spec);
  const cache = keptSpecs(io, original, input);
  const copy = cache.find();
  if (copy !== undefined)
    return {
      source: original.source,
      ...copy,
      files: { rollupConfigs: {}, genesisConfigs: {}, genesisFunds: {}, bundleTexts: {}, allocs: {} },
    };
  const read = await readSpec(io, original, input, now);
  cache.keep(read);
  return read;
}

/** Loads what parses and checks specs and templates, which takes longer than reading most specs. */
async function loadParsers() {
  const [{ parseSpec }, { parseYaml }, { loadTemplate }, { roleAccounts }, { genesisContracts }] = await Promise.all([
    import('../spec/parse.ts'),
    import('../spec/text/yaml.ts'),
    import('../template/load.ts'),
    import('../../protocol/genesis/accounts.ts'),
    import('../folder/genesis-contracts.ts'),
  ]);
  const rolesOf = (chainId: number) => roleAccounts(chainId, genesisContracts());
  return { parseSpec, parseYaml, loadTemplate, rolesOf };
}

type Parsers = Awaited<ReturnType<typeof loadParsers>>;

/** A spec with every text that it was read from: its own, its bases and defaults, its clients'. */
export interface ReadSpec extends LoadedSpec {
  readonly texts: readonly Source[];
}

/** Reads and checks a spec with the clients that it uses. @throws Failure `spec` (exit 2) with every problem */
export async function readSpec(
  io: Pick<Io, 'cwd' | 'env'>,
  original: FoundSpec,
  input: SpecInput,
  now: number,
): Promise<ReadSpec> {
  const parsers = await loadParsers();
  const texts: Source[] = [];
  const parseYaml: Parsers['parseYaml'] = (text) => {
    texts.push(text);
    return parsers.parseYaml(text);
  };
  const readWith = (sets: readonly Assignment[]) => read(io, original, sets, now, { ...parsers, parseYaml });
  const parsed = readWith(input.set);
  const sets = parsed.ok ? manualSets(parsed.spec, input.manual) : [];
  const final = sets.length === 0 ? parsed : readWith([...input.set, ...sets]);
  if (final.ok) {
    const { spec, document, clients, files } = final;
    return { source: original.source, spec, document, clients, files, texts };
  }
  throw specFailure(final.problems);
}

/** Turns problems into the failure that ends a command. */
function specFailure(problems: readonly Problem[]): Failure {
  const count = problems.length === 1 ? 'there is a problem' : `there are ${problems.length} problems`;
  // A missing binary is a missing prerequisite, not an error of the spec.
  const exit = problems.every(({ code }) => code === 'binary') ? EXIT.lacking : EXIT.usage;
  return new Failure('spec', `${count}\n\n${renderProblems(problems)}\n`, { exit, data: { problems } });
}

function read(
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
  { source: text, name }: FoundSpec,
  sets: readonly Assignment[],
  now: number,
  { parseSpec, parseYaml, loadTemplate, rolesOf }: Parsers,
): ParsedSpec<ClientTemplate> {
  const folder = text.path === undefined ? cwd : dirname(text.path);
  return parseSpec<ClientTemplate>({
    source: text,
    name,
    sets,
    cwd,
    machine: {
      readJson: (path, parse) => readJson(path, { most: DOCUMENT_LIMITS.jsonBytes, parse }),
      programFault: (program) => programFault(program, env['PATH']),
    },
    now,
    rolesOf,
    bundles: bundleOrigins(),
    baseNames: sampleNames(),
    base: (base) => sample(base) ?? source(folder, base),
    clientNames: clientNames(),
    parseYaml,
    client: (client) => packageClient(client, (file) => loadTemplate(client, file, parseYaml)),
    loadClient(path) {
      const file = source(cwd, path);
      if (file === undefined) return undefined;
      const loaded = loadTemplate(path, file, parseYaml);
      return loaded.ok ? loaded.template : loaded.problems;
    },
  });
}

/**
 * Loads a client template of the package; undefined if there is none of this name.
 * @throws Failure `template` if the package's own file is wrong
 */
function packageClient(name: string, load: (file: Source) => LoadedTemplate): ClientTemplate | undefined {
  const file = clientSource(name);
  if (file === undefined) return undefined;
  const loaded = load(file);
  if (loaded.ok) return loaded.template;
  throw new Failure('template', renderProblems(loaded.problems), { exit: EXIT.usage });
}

/** Turns `--manual` into overlays of the spec. @throws Failure (exit 2) on a node that does not exist */
function manualSets(spec: Spec, manual: readonly string[]): readonly string[] {
  return manual.map((word) => {
    const [, chain, node, part] = /^(?:([^/]+)\/)?([^/.]+)\.(el|cl)$/.exec(word) ?? [];
    const nodes = Object.entries(spec.chains).flatMap(([name, { nodes: all }]) =>
      Object.keys(all).map((each) => ({ chain: name, node: each })),
    );
    const matches = nodes.filter((each) => each.node === node && (chain === undefined || each.chain === chain));
    const [only] = matches;
    if (only !== undefined && matches.length === 1)
      return `chains.${only.chain}.nodes.${only.node}.${part}.launch=manual`;
    const hint = `one of ${nodes.map((each) => `${each.chain}/${each.node}`).join(', ')}, followed by .el or .cl`;
    throw new Failure(
      'usage',
      `--manual ${word}: ${matches.length > 1 ? 'several chains have this node' : 'there is no such process'}`,
      { exit: EXIT.usage, hint },
    );
  });
}
