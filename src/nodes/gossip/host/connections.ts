import type { PeerId } from '@libp2p/interface';
import { addressOf, type Gater } from './gater.ts';
import type { Host } from './host.ts';

/** Milliseconds for a dial, handshakes included. */
export const DIAL_TIMEOUT_MS = 30_000;

/** Returns the addresses at which a connected peer can be dialled. They are known only if this node dialled it. */
export function addressesOf(host: Host, peer: PeerId): string[] | undefined {
  const dialled = host.getConnections(peer).filter(({ direction }) => direction === 'outbound');
  return dialled.length === 0 ? undefined : dialled.map(({ remoteAddr }) => remoteAddr.toString());
}

/** Resolves when the last connection with a peer is closed, or the signal aborts. */
export function waitUntilDisconnected(
  host: { getConnections(id: PeerId): unknown[] } & EventSource,
  id: PeerId,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!signal.aborted && host.getConnections(id).length > 0) return;
      host.removeEventListener('connection:close', check);
      resolve();
    };
    host.addEventListener('connection:close', check);
    signal.addEventListener('abort', check, { once: true });
    check();
  });
}

interface EventSource {
  addEventListener(type: 'connection:close', listener: () => void): void;
  removeEventListener(type: 'connection:close', listener: () => void): void;
}

/** Returns the TCP port of the first listen address, or 0 (op-node: `FindActiveTCPPort`). */
export function listenPort(addresses: readonly string[]): number {
  return Number(/\/tcp\/(\d+)/.exec(addresses[0] ?? '')?.[1] ?? 0);
}

/** Closes the connections that the gater no longer allows. */
export function closeForbidden(host: Host, gater: Gater): void {
  for (const connection of host.getConnections())
    if (!gater.allows(connection.remotePeer.toString(), addressOf(connection.remoteAddr)))
      void connection.close().catch((error: Error) => connection.abort(error));
}
