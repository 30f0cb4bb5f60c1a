import { dirname, resolve } from 'node:path';
import { type Json, mapValues } from '../spec/schema/json.ts';
import { spanAt } from '../spec/text/positions.ts';
import { type Problem, type ProblemCode, problemAt } from '../spec/text/problem.ts';
import type { Layer } from '../spec/text/yaml.ts';
import { joinsOf, placeProblems, readDocument } from './document.ts';
import { type AttachFile, attachSchema, type RemoteNode } from './schema.ts';

/**
 * Reads a file that names a network which runs elsewhere. Its paths become absolute.
 * @throws Failure `attach` (exit 2) with every problem and its position
 */
export function readAttachFile(cwd: string, path: string): AttachFile {
  return readDocument(cwd, path, attachSchema, (output, document, layer) => {
    const network = networkOf(output, document, resolve(cwd, path));
    return { value: network, problems: networkProblems(network, layer) };
  });
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
      joins: joinsOf(nodes, document, name),
    })),
  };
}

/** Sequencers that a conductor leads, at least. */
const LEAST_OF_SET = 3;

/** Finds chains without a sequencer or with two, and nodes that join without the facts that they need. */
function networkProblems({ chains, l1, export: exported }: AttachFile, layer: Layer): readonly Problem[] {
  const problem = (code: ProblemCode, path: readonly string[], message: string, allowed: string) =>
    problemAt(spanAt([layer], path), code, path, message, { allowed });
  return Object.entries(chains).flatMap(([name, { nodes, joins, genesis, conductor }]) => {
    const sequencers = Object.values(nodes).filter(({ role }) => role === 'sequencer').length;
    const all = ['chains', name, 'nodes'];
    const [first] = Object.keys(joins);
    return [
      ...placeProblems(name, joins, layer),
      ...((conductor === undefined ? sequencers === 1 : sequencers >= LEAST_OF_SET)
        ? []
        : [
            problem(
              'sequencer',
              all,
              `chain ${name} has ${sequencers} sequencers`,
              `one node with role: sequencer, or with a conductor ${LEAST_OF_SET} or more`,
            ),
          ]),
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
