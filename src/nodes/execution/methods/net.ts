import * as z from 'zod';
import { type MethodTable, method } from '../../../rpc/method.ts';
import type { NodeContext } from './context.ts';

/**
 * Namespace `net` (geth: `NetAPI`, reth: `NetApi`).
 * Execution clients of this package have no peers: blocks come from the rollup node.
 */
export const net: MethodTable<NodeContext> = {
  net_version: method('Chain id in decimal', z.tuple([]), ({ chain }) => String(chain.chainId)),
  net_listening: method('Whether it listens for peers', z.tuple([]), () => true),
  net_peerCount: method('Peers of the execution client', z.tuple([]), () => '0x0'),
};
