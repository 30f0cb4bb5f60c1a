import type { CheckContext, Machine, SpecFiles } from './checks/check.ts';
import { CHECKS } from './checks/index.ts';
import type { ClientFacts } from './client.ts';
import { withDefaults } from './defaults.ts';
import { scheduleOfSpec } from './forks.ts';
import { genesisTimeOf } from './genesis-time.ts';
import { checkShape, startsWith } from './issues.ts';
import { overlay, parseSet } from './merge.ts';
import { nearest } from './nearest.ts';
import { absolutise, isPath, normalise } from './normalise.ts';
import { inReadingOrder, type Problem, problemAt } from './problem.ts';
import { resolveSpec } from './resolve.ts';
import { keysOf, specSchema } from './schema.ts';
import type { Source } from './source.ts';
import type { ChainSpec, Spec } from './spec.ts';
import { at, keyAt, type Path, spanAt, type Tree } from './tree.ts';
import { type ParsedYaml, parseYaml } from './yaml.ts';

/** What reading a spec needs from outside. */
export interface SpecInputs<Client extends ClientFacts = ClientFacts> {
  readonly source: Source;
  /** The devnet's name where the spec has none. */
  readonly name: string;
  /** The default devnet, from which absent keys are taken. */
  readonly defaults: Source;
  /** `path=value` overlays, the last one on top. */
  readonly sets: readonly string[];
  readonly cwd: string;
  /** Absent: files and programs that the spec names are not looked at. */
  readonly machine?: Machine;
  /** Unix seconds. */
  readonly now: number;
  readonly bundles: Readonly<Record<string, { readonly origin: string }>>;
  /** Names that `base` may give. */
  readonly baseNames: readonly string[];
  /** Text of a base by name, or by a path relative to the spec; undefined where there is none. */
  base(name: string): Source | undefined;
  /** Reads YAML, perhaps out of a cache. */
  parseYaml?(source: Source): ParsedYaml;
  /** The package's clients; one is loaded when it is asked for. */
  readonly clientNames: readonly string[];
  client(name: string): Client | undefined;
  /** A template of the user's by absolute path: the client, what is wrong with it, or undefined where there is no such file. */
  loadClient(path: string): Client | readonly Problem[] | undefined;
}

export type ParsedSpec<Client extends ClientFacts = ClientFacts> =
  | {
      readonly ok: true;
      readonly spec: Spec;
      readonly clients: ReadonlyMap<string, Client>;
      readonly files: SpecFiles;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const NOTES = {
  image: '"image" names a container image, and this version runs no containers',
  docker: 'the runtime docker is not offered by this version',
} as const;

/** Reads a spec. Every problem is found at once, in the order of the text. */
export function parseSpec<Client extends ClientFacts>(inputs: SpecInputs<Client>): ParsedSpec<Client> {
  const problems: Problem[] = [];
  const defaults = normalise(parseWith(inputs, inputs.defaults).tree!);
  const document = readDocument(inputs, defaults, problems);
  if (document === undefined) return { ok: false, problems };
  const shape = checkShape(document, specSchema, (path) => keysOf(specSchema, path), NOTES);
  problems.push(...shape.problems);
  if (shape.hopeless) return { ok: false, problems };

  const tree = absolutise(withDefaults(shape.tree, defaults), inputs.cwd);
  const clients = loadClients(tree, inputs, problems);
  const resolved = resolveSpec(tree, inputs.name, (client) => clients.get(client));
  const { spec } = resolved;
  const genesisTime = genesisTimeOf(spec, inputs.now);
  const clock = ({ blockTime }: ChainSpec) => ({ genesisTime, blockTime, now: Math.floor(inputs.now) });
  const report: CheckContext['report'] = (paths, code, message, more) => {
    const list = (Array.isArray(paths[0]) ? paths : [paths]) as readonly [Path, ...Path[]];
    const path = list.find((one) => isOwn(tree, one, inputs.defaults)) ?? list[0];
    // What follows from a fault that was told already is not told again.
    if (shape.bad.some((bad) => startsWith(bad, path) || startsWith(path, bad))) return;
    problems.push(problemAt(spanAt(tree, path), code, path, message, more));
  };
  const context: CheckContext = {
    ...resolved,
    clients,
    machine: inputs.machine,
    files: { rollupConfigs: {}, genesisConfigs: {}, bundleTexts: {}, allocs: {} },
    candidates: (kind) => inputs.clientNames.filter((name) => inputs.client(name)?.kind === kind),
    bundles: inputs.bundles,
    isGiven: (path) => isOwn(tree, path, inputs.defaults),
    isSound: (path) => !shape.bad.some((bad) => startsWith(bad, path)),
    clock,
    schedule: (chain) => scheduleOfSpec(chain.forks, clock(chain)),
    report,
    reportKey(path, code, message, more) {
      if (shape.bad.some((bad) => startsWith(bad, path) || startsWith(path, bad))) return;
      problems.push(problemAt(keyAt(tree, path) ?? spanAt(tree, path), code, path, message, more));
    },
  };
  for (const check of CHECKS) check(context);
  if (problems.length === 0) return { ok: true, spec, clients, files: context.files };
  return { ok: false, problems: inReadingOrder(problems) };
}

function parseWith(inputs: SpecInputs, source: Source): ParsedYaml {
  return inputs.parseYaml?.(source) ?? parseYaml(source);
}

/** The spec over its bases, with the defaults below it, so that `--set` changes what is there, and what that lays over it. */
function readDocument(inputs: SpecInputs, defaults: Tree, problems: Problem[]): Tree | undefined {
  const own = readLayers(inputs.source, inputs, problems, new Set());
  let document = own === undefined ? undefined : withDefaults(own, defaults);
  for (const assignment of inputs.sets) {
    const set = parseSet(assignment);
    problems.push(...set.problems);
    if (document !== undefined && set.tree !== undefined) document = overlay(document, normalise(set.tree));
  }
  return document;
}

function readLayers(
  source: Source,
  inputs: SpecInputs,
  problems: Problem[],
  open: ReadonlySet<string>,
): Tree | undefined {
  const parsed = parseWith(inputs, source);
  problems.push(...parsed.problems);
  if (parsed.tree === undefined) return undefined;
  const own = normalise(parsed.tree);
  const base = at(own, ['base']);
  if (base?.kind !== 'scalar' || typeof base.value !== 'string') return own;
  const below = inputs.base(base.value);
  const more = {
    allowed: [...inputs.baseNames, 'the path of a spec'].join(', '),
    nearest: nearest(base.value, inputs.baseNames),
  };
  if (below === undefined) {
    problems.push(
      problemAt(base.span, 'base', ['base'], `there is no spec "${base.value}" to lay this one over`, more),
    );
    return own;
  }
  if (open.has(below.path ?? below.name) || below.path === source.path) {
    problems.push(problemAt(base.span, 'base', ['base'], `"${base.value}" is laid over this spec itself`, more));
    return own;
  }
  const layer = readLayers(below, inputs, problems, new Set([...open, source.path ?? source.name]));
  return layer === undefined ? own : overlay(layer, own);
}

/** The clients that the spec uses: the package's by name, the user's by path. */
function loadClients<Client extends ClientFacts>(
  tree: Tree,
  inputs: SpecInputs<Client>,
  problems: Problem[],
): ReadonlyMap<string, Client> {
  const clients = new Map<string, Client>();
  for (const { path, value, span } of clientReferences(tree, [])) {
    if (clients.has(value)) continue;
    if (!isPath(value)) {
      const own = inputs.client(value);
      if (own !== undefined) clients.set(value, own);
      continue;
    }
    const loaded = inputs.loadClient(value);
    if (loaded === undefined) problems.push(problemAt(span, 'client', path, `there is no template ${value}`));
    else if (Array.isArray(loaded))
      problems.push(...(loaded as readonly Problem[]).filter((one) => !problems.includes(one)));
    else clients.set(value, loaded as Client);
  }
  return clients;
}

function clientReferences(tree: Tree, path: Path): { path: Path; value: string; span: Tree['span'] }[] {
  if (tree.kind !== 'map') return [];
  return [...tree.entries].flatMap(([key, { value }]) => {
    const inner = [...path, key];
    const isClient =
      key === 'client' &&
      value.kind === 'scalar' &&
      typeof value.value === 'string' &&
      !path.includes('args') &&
      !path.includes('env');
    return isClient
      ? [{ path: inner, value: value.value as string, span: value.span }]
      : clientReferences(value, inner);
  });
}

function isOwn(tree: Tree, path: Path, defaults: Source): boolean {
  const found = at(tree, path);
  return found !== undefined && found.span.source.name !== defaults.name;
}
