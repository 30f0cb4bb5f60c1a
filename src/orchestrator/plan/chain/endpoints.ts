import type { ChainView } from '../plan.ts';

/** Addresses of a chain for its users. */
export interface ChainEndpoints {
  /** JSON-RPC of an execution client. */
  readonly http: string;
  /** The same by WebSocket. */
  readonly ws: string;
  /** JSON-RPC of a rollup node. */
  readonly rollup: string;
}

/**
 * Returns where a chain takes transactions and answers: its sequencer, else its first node. With a conductor, HTTP goes
 * by it to the sequencer that leads at the time; it passes on no WebSocket. Undefined: the chain has no node.
 */
export function chainEndpoints({ nodes, conductor }: ChainView): ChainEndpoints | undefined {
  const node = nodes.find(({ role }) => role === 'sequencer') ?? nodes[0];
  if (node === undefined) return undefined;
  const leader = conductor?.rpc;
  return leader === undefined
    ? { http: node.el.http, ws: node.el.ws, rollup: node.cl.rpc }
    : { http: `${leader}/el`, ws: node.el.ws, rollup: `${leader}/cl` };
}

/** Returns the endpoints of a chain that has a node. @throws Error if it has none */
export function endpointsOf(chain: ChainView): ChainEndpoints {
  const endpoints = chainEndpoints(chain);
  if (endpoints === undefined) throw new Error(`the plan of ${chain.name} has no node`);
  return endpoints;
}
