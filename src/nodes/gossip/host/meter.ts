/**
 * Receives the events of a peer network to count (op-node: `GossipMetricer`, `HostMetrics`).
 * Roles, codes and event names are those of op-node's metrics.
 */
export interface Meter {
  /**
   * A block request was sent or answered: result code, duration (s), height.
   * Counterpart in op-node: `ClientPayloadByNumberEvent`, `ServerPayloadByNumberEvent`.
   */
  request(role: 'client' | 'server', code: number, seconds: number, number: number): void;
  /** A gossip event by its name (op-node: `RecordGossipEvent`): `DELIVER_MESSAGE`, `REJECT_MESSAGE`, `GRAFT`, … */
  gossip(event: string): void;
  /** A connection was requested (op-node: `RecordDial`, `RecordAccept`). `isAllowed`: by the gater. */
  connection(kind: 'dial' | 'accept', isAllowed: boolean): void;
  /** A ban or a block ended (op-node: `RecordPeerUnban`, `RecordIPUnban`). */
  unban(kind: 'peer' | 'ip'): void;
}

/** Discards every event. */
export const NO_METER: Meter = { request() {}, gossip() {}, connection() {}, unban() {} };
