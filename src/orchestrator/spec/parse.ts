import { present } from '../../protocol/present.ts';
import type { CheckContext, Machine, SpecFiles } from './checks/check.ts';
import { CHECKS } from './checks/index.ts';
import type { ClientFacts } from './resolve/client.ts';
import { specDocument } from './resolve/document.ts';
import { genesisTimeOf } from './resolve/genesis-time.ts';
import { resolveSpec } from './resolve/resolve.ts';
import { scheduleOfSpec } from './schema/forks.ts';
import type { Json, Path } from './schema/json.ts';
import { specSchema } from './schema/spec.ts';
import type { ChainSpec, Spec } from './schema/types.ts';
import { checkShape } from './text/issues.ts';
import { type LayerInputs, readStack, type Stack } from './text/layers.ts';
import { isGiven, keySpanAt, spanAt } from './text/positions.ts';
import { inReadingOrder, type Problem, problemAt } from './text/problem.ts';
import { startsWith } from './text/removal.ts';
import { isPath } from './text/shorthand.ts';

/** What reading a spec needs from outside. */
export interface SpecInputs<Client extends ClientFacts = ClientFacts> extends LayerInputs {
  /** The devnet's name if the spec has none. */
  readonly name: string;
  /** Absent: files and programs that the spec names are not looked at. */
  readonly machine?: Machine;
  /** Unix seconds. */
  readonly now: number;
  readonly bundles: Readonly<Record<string, { readonly origin: string }>>;
  /** Returns the role accounts of a chain. Absent: no key is compared with theirs. */
  readonly rolesOf?: (chainId: number) => Readonly<Record<string, { readonly privateKey: string }>>;
  /** The package's clients; one is loaded when it is asked for. */
  readonly clientNames: readonly string[];
  client(name: string): Client | undefined;
  /** Loads a user's template by absolute path. Returns its problems if it has some, undefined without a file. */
  loadClient(path: string): Client | readonly Problem[] | undefined;
}

export type ParsedSpec<Client extends ClientFacts = ClientFacts> =
  | {
      readonly ok: true;
      readonly spec: Spec;
      /** The spec as it would be written with every default. */
      readonly document: Json;
      readonly clients: ReadonlyMap<string, Client>;
      readonly files: SpecFiles;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** What the package lacks on purpose, by the word of the field. */
const NOTES = { amsterdam: 'the rules of amsterdam are not implemented: of an external L1 its headers are read' };

/** Reads a spec. Finds every problem at once, in the order of the text. */
export function parseSpec<Client extends ClientFacts>(inputs: SpecInputs<Client>): ParsedSpec<Client> {
  const problems: Problem[] = [];
  const stack = readStack(inputs, problems);
  if (stack === undefined) return { ok: false, problems };
  const { layers, value } = stack;
  const shape = checkShape(value, layers, specSchema, NOTES);
  problems.push(...shape.problems);
  if (shape.output === undefined) return { ok: false, problems };

  const { clients, clientOf } = clientLoader(inputs, stack, problems);
  const resolved = resolveSpec(shape.output, inputs.name, clientOf);
  const { spec } = resolved;
  const genesisTime = genesisTimeOf(spec, inputs.now);
  const clock = ({ blockTime }: ChainSpec) => ({ genesisTime, blockTime, now: Math.floor(inputs.now) });
  const touchesFault = (place: Path) => shape.bad.some((bad) => startsWith(bad, place) || startsWith(place, bad));
  // What follows from a known fault is no fault of its own.
  const follows = (place: Path, premises: readonly Path[] = []) =>
    [place, ...premises.map(shape.placeOf)].some(touchesFault);
  const context: CheckContext = {
    ...resolved,
    clients,
    machine: inputs.machine,
    files: { rollupConfigs: {}, genesisConfigs: {}, genesisFunds: {}, bundleTexts: {}, allocs: {} },
    candidates: (kind) => inputs.clientNames.filter((name) => inputs.client(name)?.kind === kind),
    roleOfKey: (chainId, key) =>
      Object.entries(inputs.rolesOf?.(chainId) ?? {}).find(([, { privateKey }]) => privateKey === key)?.[0],
    bundles: inputs.bundles,
    isGiven: (path) => isGiven(layers, shape.placeOf(path)),
    isSound: (path) => !shape.bad.some((bad) => startsWith(bad, shape.placeOf(path))),
    clock,
    l1Clock: { genesisTime, blockTime: resolved.spec.l1.blockTime, now: Math.floor(inputs.now) },
    schedule: (chain) => scheduleOfSpec(chain.forks, clock(chain)),
    report(places, code, message, more) {
      const all = (isOne(places) ? [places] : places).map(shape.placeOf);
      const place = all.find((one) => isGiven(layers, one)) ?? present(all[0], 'place of a problem');
      if (follows(place, more?.premises)) return;
      problems.push(problemAt(spanAt(layers, place), code, place, message, more));
    },
    reportKey(path, code, message, more) {
      const place = shape.placeOf(path);
      if (follows(place, more?.premises)) return;
      problems.push(problemAt(keySpanAt(layers, place), code, place, message, more));
    },
  };
  for (const check of CHECKS) check(context);
  if (problems.length > 0) return { ok: false, problems: inReadingOrder(problems) };
  return { ok: true, spec, document: specDocument(spec), clients, files: context.files };
}

/** Loads the clients that the spec uses, each once: the package's by name, the user's by path. */
function clientLoader<Client extends ClientFacts>(inputs: SpecInputs<Client>, { layers }: Stack, problems: Problem[]) {
  const clients = new Map<string, Client>();
  const wrong = new Set<string>();
  const clientOf = (name: string, path: Path): Client | undefined => {
    const existing = clients.get(name);
    if (existing !== undefined || wrong.has(name)) return existing;
    const place = [...path, 'client'];
    const loaded = isPath(name) ? inputs.loadClient(name) : inputs.client(name);
    if (loaded !== undefined && 'kind' in loaded) {
      clients.set(name, loaded);
      return loaded;
    }
    wrong.add(name);
    if (loaded !== undefined) problems.push(...loaded);
    else if (isPath(name))
      problems.push(problemAt(spanAt(layers, place), 'client', place, `there is no template ${name}`));
    return undefined;
  };
  return { clients, clientOf };
}

function isOne(places: Path | readonly Path[]): places is Path {
  return places.every((part) => typeof part !== 'object');
}
