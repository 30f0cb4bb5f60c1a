import { EXIT, Failure } from '../../system/failure.ts';
import type { Plan } from '../plan/plan.ts';
import type { Path } from '../spec/schema/json.ts';
import { checkShape } from '../spec/text/issues.ts';
import { spanAt } from '../spec/text/positions.ts';
import { inReadingOrder, type Problem, problemAt, renderProblems } from '../spec/text/problem.ts';
import type { Source } from '../spec/text/source.ts';
import { parseYaml, plainOf } from '../spec/text/yaml.ts';
import type { GivenFault } from '../state/faults.ts';
import { mustHaveLinksFor } from './checks.ts';
import { faultDocument, type GivenDocument } from './schema.ts';
import { mustTouch } from './shapes.ts';

/**
 * Reads a document of faults for a network, YAML or JSON.
 * @throws Failure `fault` (exit 2) with every problem and its position
 */
export function readDocument(source: Source, plan: Plan): GivenDocument {
  const { layer, problems: ofText } = parseYaml(source);
  if (layer === undefined) throw failureOf(ofText);
  const { output, problems, placeOf } = checkShape(plainOf(layer), [layer], faultDocument);
  const all = [...ofText, ...problems];
  if (output !== undefined) mustHaveLinksFor(plan, output);
  const ids = new Set<string>();
  for (const [path, id, fault] of output === undefined ? [] : entriesOf(output)) {
    const problem = (at: Path, message: string) => {
      const place = placeOf(at);
      all.push(problemAt(spanAt([layer], place), 'fault', place, message));
    };
    if (id !== undefined && ids.has(id)) problem([...path, 'id'], `two faults have the id ${id}`);
    if (id !== undefined) ids.add(id);
    try {
      mustTouch(plan, fault);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const key = 'partition' in fault ? 'groups' : 'pool' in fault ? 'of' : 'target';
      problem([...path, key], [error.message, error.hint].filter((text) => text !== undefined).join('; '));
    }
  }
  if (all.length > 0 || output === undefined) throw failureOf(all);
  return output;
}

function entriesOf({
  partitions,
  shaping,
  rpc,
  pool,
}: GivenDocument): readonly (readonly [Path, string | undefined, GivenFault])[] {
  return [
    ...partitions.map((partition, index) => [['partitions', index], partition.id, { partition }] as const),
    ...shaping.map((each, index) => [['shaping', index], each.id, { shaping: each }] as const),
    ...rpc.map((each, index) => [['rpc', index], each.id, { rpc: each }] as const),
    ...pool.map((each, index) => [['pool', index], each.id, { pool: each }] as const),
  ];
}

function failureOf(problems: readonly Problem[]): Failure<'fault'> {
  const count = problems.length === 1 ? 'a fault is wrong' : `${problems.length} faults are wrong`;
  return new Failure('fault', `${count}\n\n${renderProblems(inReadingOrder(problems))}\n`, {
    exit: EXIT.usage,
    data: { problems },
  });
}
