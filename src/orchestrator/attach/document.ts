import type * as z from 'zod/mini';
import { EXIT, Failure } from '../../system/failure.ts';
import { source } from '../load/package-files.ts';
import { at, isMap, type Json, mapValues } from '../spec/schema/json.ts';
import { checkShape } from '../spec/text/issues.ts';
import { spanAt } from '../spec/text/positions.ts';
import { inReadingOrder, type Problem, problemAt, renderProblems } from '../spec/text/problem.ts';
import { type Layer, parseYaml, plainOf } from '../spec/text/yaml.ts';

/**
 * Reads a document of a user. `build`: makes the value of it, with the problems that its shape does not show.
 * @throws Failure `attach` (exit 2) with every problem and its position
 */
export function readDocument<Schema extends z.ZodMiniType, Value>(
  cwd: string,
  path: string,
  schema: Schema,
  build: (
    output: z.output<Schema>,
    document: Json,
    layer: Layer,
  ) => { readonly value: Value; readonly problems: readonly Problem[] },
): Value {
  const file = source(cwd, path);
  if (file === undefined) throw new Failure('attach', `there is no file ${path}`, { exit: EXIT.usage });
  const { layer, problems: faults } = parseYaml(file);
  if (layer === undefined) throw failureOf(faults);
  const document = plainOf(layer);
  const { output, problems } = checkShape(document, [layer], schema);
  const result = output === undefined ? undefined : build(output, document, layer);
  const all = [...faults, ...problems, ...(result?.problems ?? [])];
  if (result === undefined || all.length > 0) throw failureOf(all);
  return result.value;
}

function failureOf(problems: readonly Problem[]): Failure {
  const count = problems.length === 1 ? 'there is a problem' : `there are ${problems.length} problems`;
  const text = `${count}\n\n${renderProblems(inReadingOrder(problems))}\n`;
  return new Failure('attach', text, { exit: EXIT.usage, data: { problems } });
}

/** Returns the nodes of a chain that join as their user wrote them. The reader of specs fills in the defaults. */
export function joinsOf(
  nodes: Readonly<Record<string, object>>,
  document: Json,
  chain: string,
): Readonly<Record<string, Json>> {
  return mapValues(nodes, (node, name) => {
    if (!('join' in node)) return undefined;
    const processes = at(document, ['chains', chain, 'nodes', name, 'join']);
    return isMap(processes) ? processes : {};
  });
}

/** Finds places of machines for nodes that run on this one. */
export function placeProblems(chain: string, joins: Readonly<Record<string, Json>>, layer: Layer): readonly Problem[] {
  return Object.entries(joins).flatMap(([node, processes]) =>
    ['el', 'cl']
      .map((part) => ['chains', chain, 'nodes', node, 'join', part, 'place'])
      .filter((path) => at(processes, path.slice(-2)) !== undefined)
      .map((path) =>
        problemAt(spanAt([layer], path), 'launch', path, `place has no effect: ${node} runs on this machine`, {
          allowed: 'no place',
        }),
      ),
  );
}
