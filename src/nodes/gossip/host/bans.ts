import { LAST_TIME } from '../../../system/time/clock.ts';

/** A ban of a peer until a time (op-node: `peerBanRecord`). */
export interface Ban {
  readonly id: string;
  /** By the wall clock, milliseconds. */
  readonly until: number;
}

/** Bans of peers for their scores, each with an end (op-node: `PeerBanStore`, `ExpiryStore`). */
export interface BanBook {
  ban(id: string, until: number): void;
  /** Ends a ban early. */
  lift(id: string): void;
  isBanned(id: string): boolean;
  /** Lists the bans in force. */
  all(): Ban[];
}

/**
 * Creates the list of bans from those of an earlier run (op-node: `peerBanBook`, `ExpiryConnectionGater`).
 * `onEnd` is called once for each ban that has ended.
 */
export function banBook(bans: readonly Ban[], onEnd: (id: string) => void): BanBook {
  const book = new Map(bans.map(({ id, until }) => [id, until]));
  function isBanned(id: string): boolean {
    const until = book.get(id);
    if (until === undefined) return false;
    if (until > Date.now()) return true;
    book.delete(id);
    onEnd(id);
    return false;
  }
  return {
    ban: (id, until) => void book.set(id, Math.min(until, LAST_TIME)),
    lift(id) {
      if (book.delete(id)) onEnd(id);
    },
    isBanned,
    all: () => [...book].filter(([id]) => isBanned(id)).map(([id, until]) => ({ id, until })),
  };
}
