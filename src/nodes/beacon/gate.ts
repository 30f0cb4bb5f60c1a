import { isRead } from '../../rpc/client/reads.ts';
import { serveGateway } from '../../rpc/gateway/gateway.ts';
import type { GatewayOptions } from '../../rpc/gateway/relay.ts';
import type { RunningServer } from '../../rpc/server/server.ts';
import { hostOriginPolicy, type ListenAddress } from '../service/host-origin.ts';
import { listening } from '../service/listen.ts';

/** Maximum bytes of a request: a block's blobs with their proofs in hex, or a state to load. */
const MAX_BODY = 64 * 1024 * 1024;

/** Concurrent WebSockets and HTTP requests. */
const MAX_GATE_CONNECTIONS = 2000;

/** The methods and the waiting that the gate adds to anvil. */
export interface GateParts {
  /** Answered by the gate itself, because anvil alone cannot apply them to the whole network. */
  readonly methods: GatewayOptions['methods'];
  /** Returns what to wait for while L1 lacks blocks: it would answer with an earlier head. */
  readonly waiting: () => Promise<void> | undefined;
}

/**
 * Serves the gate: L1's public port, with Host and Origin checked. @throws Failure `listen` if the port is taken
 * anvil accepts every Host and the WebSockets of every page, so it listens at an address that no page can guess.
 */
export function openGate(place: ListenAddress, l1: string, parts: GateParts): Promise<RunningServer> {
  const { host, port } = place;
  const gateway = serveGateway({
    host,
    port,
    ...hostOriginPolicy(place),
    target: l1,
    targetName: 'L1',
    ...parts,
    isRead,
    maxBody: MAX_BODY,
    maxHeld: 4 * MAX_BODY,
    maxConnections: MAX_GATE_CONNECTIONS,
  });
  return listening('gate.port', place, gateway);
}
