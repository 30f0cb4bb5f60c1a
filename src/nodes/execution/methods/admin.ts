import * as z from 'zod';
import { type MethodTable, method } from '../../../rpc/method.ts';
import type { NodeContext } from '../context.ts';

/** Namespace `admin`. */
export const admin: MethodTable<NodeContext> = {
  admin_nodeInfo: method('What this node is', z.tuple([]), ({ chain, flavour, version }) => ({
    name: flavour.clientVersion(version),
    protocols: { eth: { network: chain.chainId, genesis: chain.genesisHash, head: chain.head.hash } },
  })),
  admin_peers: method('Peers of the execution client', z.tuple([]), () => []),
};
