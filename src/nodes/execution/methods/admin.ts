import * as z from 'zod';
import { type MethodTable, method } from '../../../rpc/method.ts';
import type { NodeContext } from '../context.ts';

/** Namespace `admin`. There is no peer-to-peer network between execution clients of this package, which the empty fields say. */
export const admin: MethodTable<NodeContext> = {
  admin_nodeInfo: method('What this node is', z.tuple([]), ({ chain, flavour, version }) => ({
    id: '',
    name: flavour.clientVersion(version),
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
