import { dirname, resolve } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { source } from '../load/package-files.ts';
import { at, isMap, type Json, mapValues } from '../spec/schema/json.ts';
import { checkShape } from '../spec/text/issues.ts';
import { spanAt } from '../spec/text/positions.ts';
import { inReadingOrder, type Problem, type ProblemCode, problemAt, renderProblems } from '../spec/text/problem.ts';
import { type Layer, parseYaml, plainOf } from '../spec/text/yaml.ts';
import { type AttachFile, attachSchema, type RemoteNode } from './schema.ts';

/**
 * Reads a file that names a network which runs elsewhere. Its paths become absolute.
 * @throws Failure `attach` (exit 2) with every problem and its position
 */
export function readAttachFile(cwd: string, path: string): AttachFile {
  const file = source(cwd, path);
  if (file === undefined) throw new Failure('attach', `there is no file ${path}`, { exit: EXIT.usage });
  const { layer, problems: faults } = parseYaml(file);
  if (layer === undefined) throw failureOf(faults);
  const document = plainOf(layer);
  const { output, problems } = checkShape(document, [layer], attachSchema);
  const network = output === undefined ? undefined : networkOf(output, document, resolve(cwd, path));
  const all = [...faults, ...problems, ...(network === undefined ? [] : networkProblems(network, layer))];
  if (network === undefined || all.length > 0) throw failureOf(all);
  return network;
}

function networkOf(
  { chains, export: exported, ...rest }: ReturnType<typeof attachSchema.parse>,
  document: Json,
  path: string,
): AttachFile {
  const fromFile = (name: string) => resolve(dirname(path), name);
  return {
    ...rest,
    path,
    ...(exported === undefined
      ? {}
      : { export: { network: fromFile(exported.network), secrets: fromFile(exported.secrets) } }),
    chains: mapValues(chains, ({ nodes, genesis, ...chain }, name) => ({
      ...chain,
      ...(genesis === undefined ? {} : { genesis: fromFile(genesis) }),
      nodes: mapValues(nodes, (node): RemoteNode | undefined => ('join' in node ? undefined : node)),
      // The reader of specs takes what the user wrote, and fills in its defaults.
      joins: mapValues(nodes, (node, each) => {
        if (!('join' in node)) return undefined;
        const processes = at(document, ['chains', name, 'nodes', each, 'join']);
        return isMap(processes) ? processes : {};
      }),
    })),
  };
}

/** Finds chains without a sequencer or with two, and nodes that join without the facts that they need. */
function networkProblems({ chains, l1, export: exported }: AttachFile, layer: Layer): readonly Problem[] {
  const problem = (code: ProblemCode, path: readonly string[], message: string, allowed: string) =>
    problemAt(spanAt([layer], path), code, path, message, { allowed });
  return Object.entries(chains).flatMap(([name, { nodes, joins, genesis }]) => {
    const sequencers = Object.values(nodes).filter(({ role }) => role === 'sequencer').length;
    const all = ['chains', name, 'nodes'];
    const [first] = Object.keys(joins);
    return [
      ...Object.entries(joins).flatMap(([node, processes]) =>
        ['el', 'cl']
          .map((part) => [...all, node, 'join', part, 'place'])
          .filter((path) => at(processes, path.slice(-2)) !== undefined)
          .map((path) => problem('launch', path, `place has no effect: ${node} runs on this machine`, 'no place')),
      ),
      ...(sequencers === 1
        ? []
        : [problem('sequencer', all, `chain ${name} has ${sequencers} sequencers`, 'one node with role: sequencer')]),
      ...(first === undefined || genesis !== undefined || exported !== undefined
        ? []
        : [
            problem(
              'chain-files',
              [...all, first],
              `${first} joins chain ${name}, whose genesis file is unknown`,
              `chains.${name}.genesis: the path of genesis.json`,
            ),
          ]),
      ...(first === undefined || l1.beacon !== undefined
        ? []
        : [
            problem(
              'missing',
              [...all, first],
              `${first} derives from L1, whose beacon API is unknown`,
              'l1.beacon: its URL',
            ),
          ]),
    ];
  });
}

function failureOf(problems: readonly Problem[]): Failure {
  const count = problems.length === 1 ? 'there is a problem' : `there are ${problems.length} problems`;
  const text = `${count}\n\n${renderProblems(inReadingOrder(problems))}\n`;
  return new Failure('attach', text, { exit: EXIT.usage, data: { problems } });
}
