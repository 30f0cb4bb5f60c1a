/** What a peer network tells whoever counts. Roles, codes and event names are those that metrics of rollup nodes carry. */
export interface Meter {
  /** A request for a block was asked or answered: result code, seconds that it took, height. */
  request(role: 'client' | 'server', code: number, seconds: number, number: number): void;
  /** A gossip event by its name: `DELIVER_MESSAGE`, `REJECT_MESSAGE`, `GRAFT`, … */
  gossip(event: string): void;
  /** A connection was asked for: whether it was let through. */
  connection(kind: 'dial' | 'accept', isAllowed: boolean): void;
  /** A ban or a block ended. */
  unban(kind: 'peer' | 'ip'): void;
}

/** Counts nothing. */
export const NO_METER: Meter = { request() {}, gossip() {}, connection() {}, unban() {} };
