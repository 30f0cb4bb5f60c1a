import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { exists } from '../../system/folder.ts';
import { homeFolder } from '../run/paths.ts';
import { type ParsedSpec, parseSpec } from '../spec/parse.ts';
import { type Problem, renderProblems } from '../spec/problem.ts';
import type { Source } from '../spec/source.ts';
import type { Spec } from '../spec/spec.ts';
import { loadTemplate } from '../template/load.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { Io } from './command.ts';
import { bundleOrigins, clientNames, packageClient, sample, sampleNames, source } from './package-files.ts';
import { cachedYaml } from './yaml-cache.ts';

/** What a command line says of the spec. */
export interface SpecInput {
  /** A path, or the name of a sample; absent: devnet.yaml here, else `default`. */
  readonly spec: string | undefined;
  /** `path=value` */
  readonly set: readonly string[];
  /** `NODE.el` or `NODE.cl`, `CHAIN/NODE.el` where chains share a node's name. */
  readonly manual: readonly string[];
}

export interface LoadedSpec {
  readonly source: Source;
  readonly spec: Spec;
  readonly clients: ReadonlyMap<string, ClientTemplate>;
}

/** The spec of a command line, with the clients that it uses. @throws Failure `spec` (exit 2) with every problem */
export function loadSpec(io: Pick<Io, 'cwd' | 'env'>, input: SpecInput, now = Date.now() / 1000): LoadedSpec {
  const found = findSpec(io.cwd, input.spec);
  const parsed = read(io, found, input.set, now);
  const sets = parsed.ok ? manualSets(parsed.spec, input.manual) : [];
  const final = sets.length === 0 ? parsed : read(io, found, [...input.set, ...sets], now);
  if (final.ok) return { source: found.source, spec: final.spec, clients: final.clients };
  throw specFailure(final.problems);
}

/** Problems as the failure that ends a command. */
function specFailure(problems: readonly Problem[]): Failure {
  const count = problems.length === 1 ? 'there is a problem' : `there are ${problems.length} problems`;
  return new Failure('spec', `${count}\n\n${renderProblems(problems)}\n`, { exit: EXIT.usage, data: { problems } });
}

interface FoundSpec {
  readonly source: Source;
  /** The devnet's name where the spec has none. */
  readonly name: string;
}

function read(
  io: Pick<Io, 'cwd' | 'env'>,
  { source: text, name }: FoundSpec,
  sets: readonly string[],
  now: number,
): ParsedSpec<ClientTemplate> {
  const { cwd } = io;
  const folder = text.path === undefined ? cwd : dirname(text.path);
  const parse = cachedYaml(resolve(cwd, homeFolder(io.env)));
  return parseSpec<ClientTemplate>({
    source: text,
    name,
    defaults: sample('default')!,
    sets,
    cwd,
    now,
    bundles: bundleOrigins(),
    baseNames: sampleNames(),
    base: (base) => sample(base) ?? source(folder, base),
    clientNames: clientNames(),
    parseYaml: parse,
    client: (client) => packageClient(client, parse),
    loadClient(path) {
      const file = source(cwd, path);
      if (file === undefined) return undefined;
      const loaded = loadTemplate(path, file, parse);
      return loaded.ok ? loaded.template : loaded.problems;
    },
  });
}

/** Finds a spec. @throws Failure `spec` (exit 2) where there is none of this name */
function findSpec(cwd: string, wanted: string | undefined): FoundSpec {
  const here = 'devnet.yaml';
  if (wanted === undefined) return exists(resolve(cwd, here)) ? fromFile(cwd, here) : fromSample('default')!;
  if (exists(resolve(cwd, wanted)) && /[./]/.test(wanted)) return fromFile(cwd, wanted);
  const found = fromSample(wanted);
  if (found !== undefined) return found;
  if (exists(resolve(cwd, wanted))) return fromFile(cwd, wanted);
  throw new Failure('spec', `there is no spec ${JSON.stringify(wanted)}`, {
    exit: EXIT.usage,
    hint: `give the path of a file, or one of ${sampleNames().join(', ')}`,
  });
}

function fromSample(name: string): FoundSpec | undefined {
  const found = sample(name);
  return found === undefined ? undefined : { source: found, name };
}

function fromFile(cwd: string, name: string): FoundSpec {
  const found = source(cwd, name);
  if (found === undefined) throw new Failure('spec', `cannot read ${name}`, { exit: EXIT.usage });
  return { source: found, name: nameOfPath(found.path!) };
}

/** A devnet's name by its spec's path: the folder's name and four characters of the path's hash. */
export function nameOfPath(path: string): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 4);
  const folder = basename(dirname(isAbsolute(path) ? path : resolve(path)))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 34)
    .replace(/-+$/, '');
  return folder === '' ? `devnet-${hash}` : `${folder}-${hash}`;
}

/** `--manual` as overlays of the spec. @throws Failure (exit 2) on a node that does not exist */
function manualSets(spec: Spec, manual: readonly string[]): readonly string[] {
  return manual.map((wanted) => {
    const [, chain, node, part] = /^(?:([^/]+)\/)?([^/.]+)\.(el|cl)$/.exec(wanted) ?? [];
    const nodes = Object.entries(spec.chains).flatMap(([name, { nodes: all }]) =>
      Object.keys(all).map((each) => ({ chain: name, node: each })),
    );
    const found = nodes.filter((each) => each.node === node && (chain === undefined || each.chain === chain));
    const [only] = found;
    if (only !== undefined && found.length === 1)
      return `chains.${only.chain}.nodes.${only.node}.${part}.launch=manual`;
    const hint = `one of ${nodes.map((each) => `${each.chain}/${each.node}`).join(', ')}, followed by .el or .cl`;
    throw new Failure(
      'usage',
      `--manual ${wanted}: ${found.length > 1 ? 'several chains have this node' : 'there is no such process'}`,
      { exit: EXIT.usage, hint },
    );
  });
}
