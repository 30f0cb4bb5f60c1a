import { type GatewayOptions, serveGateway } from '../../rpc/gateway/gateway.ts';
import type { RunningServer } from '../../rpc/server.ts';
import { hostOriginPolicy, type ListenAddress } from '../shared/host-origin.ts';
import { listening } from '../shared/listen.ts';

/**
 * Methods of L1 that the gate answers itself: those whose effect anvil alone cannot give to the whole network, mapped or refused. None yet.
 */
const OWN_METHODS: GatewayOptions['methods'] = {};

/** Methods of anvil that change nothing, neither a chain nor a filter. */
const READS = [
  /^(net|web3|trace|ots)_|^debug_(trace|get)|^eth_(get(?!Filter)|call|estimate|simulate|createAccessList$)/,
  /^eth_(chainId|blockNumber|syncing|accounts|gasPrice|blobBaseFee|maxPriorityFeePerGas|feeHistory)$/,
];

/** Bytes of a request: a block's blobs with their proofs in hex, or a state to load. */
const MAX_BODY = 64 * 1024 * 1024;

/** WebSockets and HTTP requests under way, at once. */
const MAX_CONNECTIONS = 2000;

/**
 * Serves the gate of L1. anvil answers every Host, and every page's WebSocket, so it listens where no page can guess it, and its public port is
 * this one. @throws Failure `listen` where the port is taken
 */
export function openGate(place: ListenAddress, l1: string): Promise<RunningServer> {
  const { host, port } = place;
  const gateway = serveGateway({
    host,
    port,
    ...hostOriginPolicy(place),
    target: l1,
    targetName: 'L1',
    methods: OWN_METHODS,
    isRead: (method) => READS.some((pattern) => pattern.test(method)),
    maxBody: MAX_BODY,
    maxHeld: 4 * MAX_BODY,
    maxConnections: MAX_CONNECTIONS,
  });
  return listening('gate.port', place, gateway);
}
