import * as z from 'zod';
import { type MethodTable, method } from '../../../rpc/method.ts';
import type { NodeContext } from './context.ts';
import { clientVersion } from './web3.ts';

/**
 * Namespace `admin` (geth: `adminAPI`, reth: `AdminApi`).
 * Execution clients of this package have no peer-to-peer network, so its fields are empty.
 */
export const admin: MethodTable<NodeContext> = {
  admin_nodeInfo: method('Description of this node', z.tuple([]), ({ chain, flavour, version }) => ({
    id: '',
    name: clientVersion(flavour, version),
    enode: '',
    enr: '',
    ip: '127.0.0.1',
    ports: { discovery: 0, listener: 0 },
    listenAddr: '',
    protocols: {
      eth: { network: chain.chainId, difficulty: 0, genesis: chain.genesisHash, head: chain.head.hash },
    },
  })),
  admin_peers: method('Peers of the execution client: none', z.tuple([]), () => []),
};
