import { NODES } from '../schema/chain.ts';
import { at, edit, type Json } from '../schema/json.ts';
import { CLIENTS } from '../schema/process.ts';
import { CHAINS } from '../schema/spec.ts';
import { overlay } from './merge.ts';
import { nearest } from './nearest.ts';
import { type Layers, spanAt } from './positions.ts';
import { type Problem, problemAt } from './problem.ts';
import { type Assignment, parseSet } from './set.ts';
import { expandShorthands } from './shorthand.ts';
import type { Source } from './source.ts';
import { type Layer, type ParsedYaml, plainOf } from './yaml.ts';

/** What reading the texts of a spec needs from outside. */
export interface LayerInputs {
  readonly source: Source;
  /** Overlays, the last one on top. */
  readonly sets: readonly Assignment[];
  readonly cwd: string;
  /** Names that `base` may give. */
  readonly baseNames: readonly string[];
  /** Text of a base by name, or by a path relative to the spec; undefined if there is none. */
  base(name: string): Source | undefined;
  parseYaml(source: Source): ParsedYaml;
}

/** The texts of a spec laid over one another, and the value that they come to. */
export interface Stack {
  readonly layers: Layers;
  readonly value: Json;
}

/** Reads a spec over its bases and lays what `--set` says over it. Undefined if the spec's own text is not YAML. */
export function readStack(inputs: LayerInputs, problems: Problem[]): Stack | undefined {
  const specStack = readBased(inputs.source, inputs, problems, new Set());
  const sets = inputs.sets.map((assignment) => {
    const parsed = parseSet(assignment);
    problems.push(...parsed.problems);
    return parsed.layer;
  });
  if (specStack === undefined || sets.length === 0) return specStack;
  let stack: Stack = { layers: specStack.layers, value: withClients(specStack.value) };
  for (const set of sets) if (set !== undefined) stack = laidOver(set, stack, inputs.cwd);
  return stack;
}

function laidOver(layer: Layer, below: Stack | undefined, cwd: string): Stack {
  expandShorthands(layer, cwd);
  const value = plainOf(layer);
  return below === undefined
    ? { layers: [layer], value }
    : { layers: [layer, ...below.layers], value: overlay(below.value, value) };
}

function readBased(
  source: Source,
  inputs: LayerInputs,
  problems: Problem[],
  open: ReadonlySet<string>,
): Stack | undefined {
  const { layer, problems: faults } = inputs.parseYaml(source);
  problems.push(...faults);
  if (layer === undefined) return undefined;
  const base = at(plainOf(layer), ['base']);
  if (typeof base !== 'string') return laidOver(layer, undefined, inputs.cwd);
  const below = inputs.base(base);
  const nowOpen = new Set([...open, source.path ?? source.name]);
  const isOpen = below !== undefined && nowOpen.has(below.path ?? below.name);
  if (below === undefined || isOpen) {
    const message = isOpen
      ? `"${base}" is laid over this spec itself`
      : `there is no spec "${base}" to lay this one over`;
    const more = {
      allowed: [...inputs.baseNames, 'the path of a spec'].join(', '),
      nearest: nearest(base, inputs.baseNames),
    };
    problems.push(problemAt(spanAt([layer], ['base']), 'base', ['base'], message, more));
    return laidOver(layer, undefined, inputs.cwd);
  }
  const stack = readBased(below, inputs, problems, nowOpen);
  return laidOver(layer, stack, inputs.cwd);
}

/** Fills in the chains, nodes and clients of a spec that names none, so that `--set` changes them. */
function withClients(value: Json): Json {
  const spec = overlay(
    { l1: { client: CLIENTS.l1, beacon: { client: CLIENTS.beacon } }, chains: at(value, ['chains']) ?? CHAINS },
    value,
  );
  const chains = edit(spec, ['chains', '*'], (chain) =>
    overlay(
      {
        batcher: { client: CLIENTS.batcher },
        proposer: { client: CLIENTS.proposer },
        nodes: at(chain, ['nodes']) ?? NODES,
      },
      chain,
    ),
  );
  return edit(chains, ['chains', '*', 'nodes', '*'], (node) => {
    const role = at(node, ['role']) === 'sequencer' ? 'sequencer' : 'verifier';
    return overlay({ el: { client: CLIENTS[role] }, cl: { client: CLIENTS.cl } }, node);
  });
}
