/** What every fault has. Times are those of the network's clock (Unix ms). */
interface Standing {
  readonly id: string;
  readonly since: number;
  /** It ends by itself then. Absent: it stands until it is healed. */
  readonly until?: number;
}

/** Groups of nodes without a connection between them. */
export interface Partition extends Standing {
  readonly groups: string[][];
}

/** Directions of a shaping, as its target has them: from it, to it. */
export const DIRECTIONS = ['both', 'egress', 'ingress'] as const;

/** Links that are slow, limited, lossy, cut or silent. */
export interface Shaping extends Standing {
  /** `NODE`, `A-B`, each with `:LINK`. */
  readonly target: string;
  /** Milliseconds. */
  readonly delay?: number;
  readonly jitter?: number;
  /** Percent of TCP segments and of datagrams. */
  readonly loss?: number;
  /** Kilobits per second. */
  readonly bandwidth?: number;
  readonly direction?: (typeof DIRECTIONS)[number];
  /** Connections end, and new ones are refused. */
  readonly cut?: true;
  /** Connections stand, and no byte passes. */
  readonly drop?: true;
}

/** All faults of a network. */
export interface FaultDocument {
  readonly partitions: readonly Partition[];
  readonly shaping: readonly Shaping[];
  /** Wrong answers. */
  readonly rpc: readonly never[];
}

/** A network without a fault. */
export const NO_FAULTS: FaultDocument = { partitions: [], shaping: [], rpc: [] };

/** The same without what the supervisor adds. */
type Given<Fault> = Omit<Fault, keyof Standing> & Partial<Standing>;

/** A fault as a command, a scenario or a file gives it. */
export type GivenFault = { readonly partition: Given<Partition> } | { readonly shaping: Given<Shaping> };
