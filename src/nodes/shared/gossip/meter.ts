/** Receives the events of a peer network to count. Roles, codes and event names are those of op-node's metrics. */
export interface Meter {
  /** A block request was sent or answered: result code, duration (s), height. */
  request(role: 'client' | 'server', code: number, seconds: number, number: number): void;
  /** A gossip event by its name: `DELIVER_MESSAGE`, `REJECT_MESSAGE`, `GRAFT`, … */
  gossip(event: string): void;
  /** A connection was requested: whether the gater allowed it. */
  connection(kind: 'dial' | 'accept', isAllowed: boolean): void;
  /** A ban or a block ended. */
  unban(kind: 'peer' | 'ip'): void;
}

/** Discards every event. */
export const NO_METER: Meter = { request() {}, gossip() {}, connection() {}, unban() {} };
