import { rateLimitByAddress } from '../../rpc/server/rate-limit.ts';
import { readyRoute } from '../../rpc/server/ready-route.ts';
import { type RunningServer, serve } from '../../rpc/server/server.ts';
import type { Logger } from '../../system/program/log.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import { adminMethods } from './methods/admin.ts';
import type { NodeApi } from './methods/api.ts';
import { consensusMethods } from './methods/consensus.ts';
import { opstackMethods } from './methods/opstack.ts';
import { peernetMethods } from './methods/peernet.ts';
import type { RollupNodeOptions } from './options/index.ts';
import type { Telemetry } from './telemetry.ts';

/** Requests per second of one address: several times the need of a poller, too few to keep the node busy. */
const REQUEST_RATE = 2000;

/**
 * Serves the node's RPC over HTTP and WebSocket (op-node: `initRPCServer`, `newRPCServer`).
 * @throws the listen error
 */
export function startRpcServer(
  options: RollupNodeOptions,
  api: NodeApi,
  telemetry: Telemetry,
  log: Logger,
): Promise<RunningServer> {
  return serve({
    host: options.rpcAddr,
    port: options.rpcPort,
    http: true,
    websocket: true,
    ...hostOriginPolicy(options),
    methods: telemetry.methods({
      ...consensusMethods,
      ...peernetMethods,
      ...(options.rpcAdmin ? adminMethods : {}),
      ...(options.sequencerApi ? opstackMethods : {}),
    }),
    route: readyRoute(() => unready(options, api)),
    rateLimit: rateLimitByAddress(REQUEST_RATE),
    context: api,
    onInternalError: (name, error) => log.warn('an RPC method failed', { method: name, error }),
  });
}

/**
 * Returns what a node lacks that the health check of a network asks of it: the static peers. They may not have started
 * yet; a node without gossip has none.
 */
function unready({ p2pStatic, p2pDisable }: RollupNodeOptions, api: NodeApi): string | undefined {
  const count = p2pDisable ? 0 : p2pStatic.length;
  const connected = api.peers()?.stats().connected ?? 0;
  return connected >= count ? undefined : `${connected} of ${count} static peers are connected`;
}
