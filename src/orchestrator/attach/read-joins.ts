import { dirname, resolve } from 'node:path';
import { mapValues } from '../spec/schema/json.ts';
import { spanAt } from '../spec/text/positions.ts';
import { type Problem, type ProblemCode, problemAt } from '../spec/text/problem.ts';
import type { Layer } from '../spec/text/yaml.ts';
import { joinsOf, placeProblems, readDocument } from './document.ts';
import { type JoinsFile, joinsSchema } from './schema.ts';

/** What is known of a network before nodes join it. */
export interface JoinableNetwork {
  /** Names of its nodes, by chain. */
  readonly nodes: Readonly<Record<string, readonly string[]>>;
  /** Whether the genesis of a chain follows from what the engine lets read. */
  readonly isPublic: (chain: string) => boolean;
}

/**
 * Reads a file whose nodes join a network that an engine runs. Its paths become absolute.
 * @throws Failure `attach` (exit 2) with every problem and its position
 */
export function readJoinsFile(cwd: string, path: string, network: JoinableNetwork): JoinsFile {
  return readDocument(cwd, path, joinsSchema, (output, document, layer) => {
    const fromFile = (name: string) => resolve(dirname(resolve(cwd, path)), name);
    const { export: exported } = output;
    const value: JoinsFile = {
      path: resolve(cwd, path),
      ...(exported === undefined
        ? {}
        : { export: { network: fromFile(exported.network), secrets: fromFile(exported.secrets) } }),
      chains: mapValues(output.chains, ({ nodes, genesis }, name) => ({
        ...(genesis === undefined ? {} : { genesis: fromFile(genesis) }),
        joins: joinsOf(nodes, document, name),
      })),
    };
    return { value, problems: joinProblems(value, network, layer) };
  });
}

/** Finds chains that the network lacks, names that it has, and a genesis that follows from secrets. */
function joinProblems(
  { chains, export: exported }: JoinsFile,
  { nodes, isPublic }: JoinableNetwork,
  layer: Layer,
): readonly Problem[] {
  const problem = (code: ProblemCode, path: readonly string[], message: string, allowed: string) =>
    problemAt(spanAt([layer], path), code, path, message, { allowed });
  return Object.entries(chains).flatMap(([name, { joins, genesis }]) => {
    const others = nodes[name];
    if (others === undefined)
      return [
        problem('reference', ['chains', name], `the network has no chain ${name}`, Object.keys(nodes).join(', ')),
      ];
    const lacksGenesis = genesis === undefined && exported === undefined && !isPublic(name);
    return [
      ...placeProblems(name, joins, layer),
      ...Object.keys(joins)
        .filter((node) => others.includes(node))
        .map((node) =>
          problem('duplicate', ['chains', name, 'nodes', node], `chain ${name} has a node ${node}`, 'another name'),
        ),
      ...(lacksGenesis
        ? [
            problem(
              'chain-files',
              ['chains', name],
              `the accounts of chain ${name} follow from a mnemonic that its engine keeps secret`,
              `chains.${name}.genesis: the path of genesis.json, or export: the folder of the export`,
            ),
          ]
        : []),
    ];
  });
}
