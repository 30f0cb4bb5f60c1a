import type { NetworkEvent } from '../state/network-event-type.ts';
import type { Problem } from '../state/problem.ts';
import type { ForkRow } from '../status/forks.ts';

/** What the page shows of a network at one time. Amounts in wei are decimal text. */
export interface Picture {
  readonly name: string;
  /** Tells it from the next devnet of its name, which may have the same genesis. */
  readonly id: string;
  readonly phase: string;
  /** Whether a supervisor runs. */
  readonly isUp: boolean;
  /** Unix milliseconds of the wall clock. */
  readonly at: number;
  readonly startedAt: number;
  /** Unix seconds. */
  readonly genesisTime: number;
  /** The network's clock (Unix ms) and its rate; 0: it stands. */
  readonly clock: { readonly at: number; readonly rate: number };
  readonly problems: readonly Problem[];
  /** Faults of links that stand, a line each. */
  readonly faults: readonly string[];
  readonly divergences: readonly Extract<NetworkEvent, { kind: 'divergence' }>[];
  /** The reports since the start: their first lines, and the cause in a few words if one is known. */
  readonly reports: readonly {
    readonly chain: string;
    readonly block: number;
    readonly nodes: readonly string[];
    readonly lines: readonly string[];
    readonly cause: string | null;
    /** Whether the nodes agree again. */
    readonly isOver: boolean;
  }[];
  readonly l1: { readonly rpc: string; readonly chainId: number; readonly head: number | null };
  readonly chains: readonly PictureChain[];
  readonly processes: readonly PictureProcess[];
}

export interface PictureChain {
  readonly name: string;
  readonly chainId: number;
  readonly nodes: readonly PictureNode[];
  readonly forks: readonly ForkRow[];
  readonly posters: readonly {
    readonly name: string;
    readonly phase: string;
    readonly posts: number;
    readonly lastPostMs: number | null;
    readonly spent: string;
  }[];
}

export interface PictureNode {
  readonly name: string;
  readonly role: string;
  readonly phase: string;
  readonly el: string;
  readonly cl: string;
  readonly http: string;
  readonly unsafe: number | null;
  readonly safe: number | null;
  readonly finalized: number | null;
  readonly rate: number | null;
  readonly behind: number | null;
  /** Connected nodes of the network by name, with the round trip that the rollup node measured. */
  readonly peers: readonly { readonly node: string; readonly latencyMs: number | null }[];
}

export interface PictureProcess {
  readonly task: string;
  readonly client: string;
  readonly phase: string;
  readonly pid: number | null;
  readonly restarts: number;
  /** Share of one processor since the last picture. */
  readonly cpu: number | null;
  readonly residentBytes: number | null;
  readonly threads: number | null;
  readonly openFiles: number | null;
}

/** Unsafe heads at one time, in the order of the nodes of all chains. */
export type Sample = readonly [at: number, ...heads: (number | null)[]];

/** From a time of the machine on (Unix s), by how many seconds the network's clock is ahead of it. */
export interface ClockPoint {
  readonly at: number;
  readonly ahead: number;
}

/** Messages of the page's stream, told apart by `kind`. */
export type Message =
  | { readonly kind: 'picture'; readonly picture: Picture }
  /** Heads and moves of the clock before the page opened. */
  | {
      readonly kind: 'history';
      readonly nodes: readonly string[];
      readonly samples: readonly Sample[];
      readonly clock: readonly ClockPoint[];
    }
  | { readonly kind: 'event'; readonly at: number; readonly what: NetworkEvent['kind']; readonly line: string }
  /** The network cannot be read. `isDown`: it was taken down. */
  | { readonly kind: 'gone'; readonly because: string; readonly isDown: boolean };
