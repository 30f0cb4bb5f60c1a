/** A block of a node. */
interface BlockId {
  readonly number: number;
  readonly hash: string;
}

/** `at`: Unix milliseconds. */
interface Kind<Name extends string> {
  readonly kind: Name;
  readonly at: number;
}

/** What `devnet watch` prints, told apart by `kind`. Keys and kinds are only ever added. */
export type NetworkEvent =
  /** The newest block of a node. Blocks between two polls are passed over. `time`: Unix seconds. */
  | (Kind<'head'> & BlockId & { readonly chain: string; readonly node: string; readonly time: number })
  /**
   * The head of a node has passed the activation time that this node has. `block`: the first one under its rules.
   * `time`: Unix seconds.
   */
  | (Kind<'fork'> & {
      readonly chain: string;
      readonly node: string;
      readonly fork: string;
      readonly block: number;
      readonly time: number;
    })
  /** A node has left its chain: its head was reorganised or rewound. */
  | (Kind<'reorg'> & {
      readonly chain: string;
      readonly node: string;
      readonly from: BlockId;
      readonly to: BlockId;
    })
  /** A process stands still, does not answer, is down or is in the minority. `since`: Unix milliseconds. */
  | (Kind<'stall'> & {
      readonly subject: string;
      readonly what: string;
      readonly since: number;
      readonly because: string | null;
    })
  /** A stall is over. */
  | (Kind<'recovery'> & { readonly subject: string; readonly what: string; readonly since: number })
  | (Kind<'divergence'> & {
      readonly chain: string;
      readonly block: number;
      /** The minority, or the nodes that differ from the sequencer if there is no majority. */
      readonly nodes: string[];
      /** hash: another block. refused: one side refused it. */
      readonly how: 'hash' | 'refused';
      /** Header fields that differ. */
      readonly fields: string[];
      readonly reason: string;
      readonly since: number;
    })
  /** The report of a divergence is written. */
  | (Kind<'explanation'> & {
      readonly chain: string;
      readonly block: number;
      readonly nodes: string[];
      /** Path of the report as text; the same path with `.json` is its document. */
      readonly path: string;
      /** Its first lines. */
      readonly lines: string[];
    })
  /** The nodes of a divergence have blocks in common with the others again. `block`: the newest of them. */
  | (Kind<'agreement'> & { readonly chain: string; readonly block: number; readonly nodes: string[] })
  | (Kind<'started'> & { readonly task: string; readonly pid: number | null })
  | (Kind<'ended'> & { readonly task: string; readonly what: string })
  /** A fault began, is over, or has met the one transaction that it is for. */
  | (Kind<'fault'> & { readonly id: string; readonly what: string; readonly state: 'added' | 'healed' | 'done' })
  /** The phase of the network changed. */
  | (Kind<'phase'> & { readonly phase: string });
