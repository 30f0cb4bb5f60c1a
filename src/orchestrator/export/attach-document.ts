import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { HOST } from '../plan/reach.ts';

/** Returns the port of this machine that leads to a port of a task; undefined: none does. */
export type PortFinder = (task: string, port: string) => number | undefined;

/**
 * Lists the addresses of an exported network as `devnet attach` takes them, with ports of this machine.
 * It holds keys of the published mnemonic alone: `isPublic` tells the chains that have it.
 */
export function attachDocument(
  { devnet, network: { l1, chains } }: Plan,
  port: PortFinder,
  isPublic: (chain: string) => boolean,
) {
  const urls = urlsOf(port);
  return {
    name: devnet,
    l1: {
      rpc: urls.must('http', 'l1-beacon', 'gate'),
      ...urls.ws('l1-beacon', 'gate'),
      beacon: urls.must('http', 'l1-beacon', 'http'),
      chainId: l1.chainId,
    },
    chains: Object.fromEntries(chains.map((chain) => [chain.name, chainOf(chain, urls, isPublic(chain.name))])),
  };
}

function chainOf(
  { chainId, nodes, contracts, accounts, batcher, proposer, challenger, conductor }: ChainView,
  urls: Urls,
  isPublic: boolean,
) {
  const keys = isPublic ? accounts.filter(({ privateKey, role }) => privateKey !== undefined && !role) : [];
  const poster = (name: 'batcher' | 'proposer' | 'challenger' | 'conductor', task: string | undefined) => {
    const rpc = task === undefined ? undefined : urls.find('http', task, 'rpc');
    return rpc === undefined ? {} : { [name]: { rpc } };
  };
  return {
    chainId,
    nodes: Object.fromEntries(nodes.map((node) => [node.name, nodeOf(node, urls)])),
    ...poster('batcher', batcher?.task),
    ...poster('proposer', proposer?.task),
    ...poster('challenger', challenger?.task),
    ...poster('conductor', conductor?.task),
    contracts: contracts.l1,
    accounts: keys.map(({ address, privateKey }) => ({ address, ...(privateKey && { privateKey }) })),
  };
}

function nodeOf({ role, el, cl }: NodeView, urls: Urls) {
  return {
    role,
    el: { http: urls.must('http', el.task, 'http'), ...urls.ws(el.task, 'ws') },
    cl: { rpc: urls.must('http', cl.task, 'rpc'), ...(cl.p2p === '' ? {} : { p2p: localPeer(cl.p2p) }) },
  };
}

type Urls = ReturnType<typeof urlsOf>;

function urlsOf(port: PortFinder) {
  const find = (protocol: 'http' | 'ws', task: string, name: string) => {
    const number = port(task, name);
    return number === undefined ? undefined : `${protocol}://${HOST}:${number}`;
  };
  return {
    find,
    must(protocol: 'http' | 'ws', task: string, name: string): string {
      const url = find(protocol, task, name);
      if (url === undefined) throw new Error(`no port of this machine leads to ${name} of ${task}`);
      return url;
    },
    ws(task: string, name: string): { readonly ws?: string } {
      const ws = find('ws', task, name);
      return ws === undefined ? {} : { ws };
    },
  };
}

/** Returns the address by which this machine dials a peer whose port is published here. */
function localPeer(multiaddress: string): string {
  return multiaddress.replace(/^\/dns4\/[^/]+/, `/ip4/${HOST}`);
}
