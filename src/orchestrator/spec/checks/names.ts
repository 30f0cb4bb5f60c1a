import type { ChainSpec } from '../schema/types.ts';
import { NAME_PATTERN } from '../schema/words.ts';
import { type Check, type CheckContext, chainsOf } from './check.ts';

/** Names of tasks and folders that the network uses itself. */
const CHAINS = ['l1', 'l1-beacon'];
const NODES = ['batcher', 'proposer', 'challenger', 'signer', 'da-server', 'conductor'];

/** No name stands for two things. */
export const names: Check = (context) => {
  for (const [name, chain] of chainsOf(context)) {
    if (CHAINS.includes(name))
      context.reportKey(['chains', name], 'name', `a chain cannot be called "${name}", as L1's processes are`);
    reportLongNames(context, name, chain);
    for (const node of Object.keys(chain.nodes))
      if (NODES.includes(node))
        context.reportKey(
          context.nodePath(name, node),
          'name',
          `a node cannot be called "${node}", as the chain's ${node} is`,
        );
  }
  for (const { node, path } of context.repeated)
    context.reportKey(path, 'duplicate', `two nodes of this chain are called "${node}"`);
};

/** Reports a `count` whose numbers make a node's name too long, once. */
function reportLongNames(context: CheckContext, chain: string, { nodes }: ChainSpec): void {
  const places = new Set<string>();
  for (const node of Object.keys(nodes)) {
    const path = context.nodePath(chain, node);
    if (NAME_PATTERN.test(node) || places.has(path.join('.'))) continue;
    places.add(path.join('.'));
    context.reportKey(path, 'name', `its count makes the name "${node}" of ${node.length} characters: at most 39`);
  }
}

/** Chain ids tell networks apart, L1's among them. */
export const chainIds: Check = (context) => {
  const owners = new Map([[context.spec.l1.chainId, { owner: 'L1', premise: ['l1', 'chainId'] }]]);
  for (const [name, { chainId, from }] of chainsOf(context)) {
    if (from !== null) continue;
    const other = owners.get(chainId);
    const path = ['chains', name, 'chainId'];
    if (other !== undefined)
      context.report(path, 'duplicate', `the chain id ${chainId} is taken by ${other.owner}`, {
        premises: [other.premise],
      });
    else owners.set(chainId, { owner: `the chain "${name}"`, premise: path });
  }
};

/** A port that is asked for by number is asked for once. */
export const ports: Check = (context) => {
  const { spec } = context;
  const owners = new Map<number, string>();
  const look = (where: readonly string[], entries: Readonly<Record<string, number>>) => {
    for (const [name, port] of Object.entries(entries)) {
      const owner = [...where, name].join('.');
      const other = owners.get(port);
      if (other !== undefined)
        context.report([...where, 'ports', name], 'duplicate', `the port ${port} is given to ${other} already`);
      else owners.set(port, owner);
    }
  };
  look(['l1'], spec.l1.ports);
  look(['l1', 'beacon'], spec.l1.beacon.ports);
  for (const [name, chain] of chainsOf(context)) {
    look(['chains', name, 'batcher'], chain.batcher?.ports ?? {});
    look(['chains', name, 'proposer'], chain.proposer?.ports ?? {});
    look(['chains', name, 'proposer', 'challenger'], chain.proposer?.challenger?.ports ?? {});
    look(['chains', name, 'signer'], chain.signer?.ports ?? {});
    look(['chains', name, 'altDa'], chain.altDa?.ports ?? {});
    look(['chains', name, 'conductor'], chain.conductor?.ports ?? {});
    for (const [node, { el, cl }] of Object.entries(chain.nodes)) {
      const path = context.nodePath(name, node) as readonly string[];
      look([...path, 'el'], el.ports);
      look([...path, 'cl'], cl.ports);
    }
  }
};
