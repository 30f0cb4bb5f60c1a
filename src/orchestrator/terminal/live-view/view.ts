/** What the live view of a network shows, as plain data. Times are milliseconds. */
export interface LiveView {
  readonly name: string;
  readonly phase: string;
  /** Time since the network was ready. */
  readonly upMs: number;
  /** The network's clock, Unix ms, and its rate; 0: it stands. */
  readonly clock: { readonly at: number; readonly rate: number };
  readonly l1: { readonly head: number | null; readonly rpc: string };
  readonly chains: readonly LiveChain[];
  /** Nodes that have other blocks than the majority; empty: none is known. */
  readonly diverged: readonly string[];
  /** The last problem, reorg or complaint, and its age. */
  readonly complaint: { readonly text: string; readonly ageMs: number; readonly isBad: boolean } | null;
  /** A log or an explanation under the table. */
  readonly pane: LivePane | null;
  /** Rows by which the pane, or the table without one, is moved from the end that it shows first. */
  readonly scroll: number;
  /** The command that takes the network down, in backticks. */
  readonly takeDown: string;
  /** Whether keys are read. */
  readonly hasKeys: boolean;
}

export interface LivePane {
  readonly title: string;
  readonly lines: readonly string[];
  /** Which end of the lines is shown first if not all fit. */
  readonly shows: 'first' | 'last';
}

export interface LiveChain {
  readonly name: string;
  readonly nodes: readonly LiveNode[];
  readonly forks: readonly { readonly fork: string; readonly secondsToGo: number; readonly block: number | null }[];
  readonly posters: readonly LivePoster[];
}

export interface LiveNode {
  readonly name: string;
  readonly role: string;
  /** Whether it makes the blocks: the sequencer, or the leader of a set. */
  readonly leads: boolean;
  readonly phase: string;
  readonly unsafe: number | null;
  readonly safe: number | null;
  readonly finalized: number | null;
  /** Blocks per second; null: not known yet. */
  readonly rate: number | null;
  /** Blocks behind the chain's highest head. */
  readonly behind: number | null;
  readonly peers: number | null;
}

/** A batcher or a proposer. */
export interface LivePoster {
  readonly name: string;
  readonly phase: string;
  /** Transactions of its account on L1; null: L1 does not answer. */
  readonly nonce: number | null;
  /** Wei of its account on L1. */
  readonly balance: bigint | null;
  /** Transactions on L1 since the view began. */
  readonly posts: number;
  readonly lastPostMs: number | null;
  /** Wei that it has spent since the view began. */
  readonly cost: bigint;
}
