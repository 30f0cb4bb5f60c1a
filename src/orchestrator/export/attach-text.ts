import { stringify } from 'yaml';
import type { Plan } from '../plan/plan.ts';

/**
 * Renders the file by which `devnet attach` finds an exported network, whose public ports lead to this machine.
 * It holds keys of the published mnemonic alone: `isPublic` tells the chains that have it.
 */
export function attachText(
  { devnet, network, tasks }: Plan,
  paths: { readonly networkFolder: string; readonly secretsFile: string },
  isPublic: (chain: string) => boolean,
): string {
  const port = (task: string, name: string) =>
    tasks.find(({ id }) => id === task)?.ports.find((each) => each.name === name)?.port;
  const here = (protocol: 'http' | 'ws', task: string, name: string) => {
    const number = port(task, name);
    return number === undefined ? undefined : `${protocol}://127.0.0.1:${number}`;
  };
  const chains = network.chains.map(({ name, chainId, nodes, contracts, accounts }) => {
    const keys = isPublic(name) ? accounts.filter(({ privateKey, role }) => privateKey !== undefined && !role) : [];
    const listed = nodes.map(({ name: node, role, el, cl }) => [
      node,
      {
        role,
        el: { http: here('http', el.task, 'http'), ws: here('ws', el.task, 'ws') },
        cl: { rpc: here('http', cl.task, 'rpc'), p2p: cl.p2p === '' ? undefined : localPeer(cl.p2p) },
      },
    ]);
    return [
      name,
      {
        chainId,
        nodes: Object.fromEntries(listed),
        contracts: contracts.l1,
        accounts: keys.map(({ address, privateKey }) => ({ address, privateKey })),
      },
    ];
  });
  const l1 = {
    rpc: here('http', 'l1-beacon', 'gate'),
    ws: here('ws', 'l1-beacon', 'gate'),
    beacon: here('http', 'l1-beacon', 'http'),
    chainId: network.l1.chainId,
  };
  const head = '# `devnet attach attach.yaml` watches this network from the machine on which it runs.\n';
  const exported = { network: `./${paths.networkFolder}`, secrets: `./${paths.secretsFile}` };
  const document = { name: devnet, l1, export: exported, chains: Object.fromEntries(chains) };
  return head + stringify(document, { lineWidth: 0 });
}

/** Returns the address by which this machine dials a peer whose port is published here. */
function localPeer(multiaddress: string): string {
  return multiaddress.replace(/^\/dns4\/[^/]+/, '/ip4/127.0.0.1');
}
