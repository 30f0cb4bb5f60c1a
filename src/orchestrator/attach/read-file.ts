import { EXIT, Failure } from '../../system/failure.ts';
import { source } from '../load/package-files.ts';
import { checkShape } from '../spec/text/issues.ts';
import { spanAt } from '../spec/text/positions.ts';
import { inReadingOrder, type Problem, problemAt, renderProblems } from '../spec/text/problem.ts';
import { type Layer, parseYaml, plainOf } from '../spec/text/yaml.ts';
import { type AttachFile, attachSchema } from './schema.ts';

/**
 * Reads a file that names a network which runs elsewhere.
 * @throws Failure `attach` (exit 2) with every problem and its position
 */
export function readAttachFile(cwd: string, path: string): AttachFile {
  const file = source(cwd, path);
  if (file === undefined) throw new Failure('attach', `there is no file ${path}`, { exit: EXIT.usage });
  const { layer, problems: faults } = parseYaml(file);
  if (layer === undefined) throw failureOf(faults);
  const { output, problems } = checkShape(plainOf(layer), [layer], attachSchema);
  const all = [...faults, ...problems, ...(output === undefined ? [] : roleProblems(output, layer))];
  if (output === undefined || all.length > 0) throw failureOf(all);
  return output;
}

/** Finds chains without a node, or with two sequencers. */
function roleProblems({ chains }: AttachFile, layer: Layer): readonly Problem[] {
  return Object.entries(chains).flatMap(([name, { nodes }]) => {
    const sequencers = Object.values(nodes).filter(({ role }) => role === 'sequencer').length;
    if (sequencers === 1) return [];
    const path = ['chains', name, 'nodes'];
    const message = `chain ${name} has ${sequencers} sequencers`;
    return [problemAt(spanAt([layer], path), 'sequencer', path, message, { allowed: 'one node with role: sequencer' })];
  });
}

function failureOf(problems: readonly Problem[]): Failure {
  const count = problems.length === 1 ? 'there is a problem' : `there are ${problems.length} problems`;
  const text = `${count}\n\n${renderProblems(inReadingOrder(problems))}\n`;
  return new Failure('attach', text, { exit: EXIT.usage, data: { problems } });
}
