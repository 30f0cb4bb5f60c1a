/** What a client is for. */
export const CLIENT_KINDS = [
  'l1',
  'beacon',
  'el',
  'cl',
  'batcher',
  'proposer',
  'challenger',
  'signer',
  'da-server',
  'conductor',
] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** What a spec must know of a client to be checked; a template is one. */
export interface ClientFacts {
  readonly name: string;
  readonly kind: ClientKind;
  /** The runtimes in which the template can launch it; `process` may need a binary given by the spec. */
  readonly runtimes: readonly ('embedded' | 'process' | 'docker')[];
  /** Whether a spec has to name the binary of the runtime `process`. */
  readonly needsBinary: boolean;
  /** Whether a spec has to name the image of the runtime `docker`. */
  readonly needsImage: boolean;
  /** The program of the runtime `process` if the spec names no binary. Null: the plan or the spec decides. */
  readonly program: string | null;
  /** Names of its ports. */
  readonly portNames: readonly string[];
  /** Arguments that the plan sets and a spec must not, each with what to use instead. */
  readonly ownArguments: Readonly<Record<string, string>>;
  /** Whether it can follow another rollup node in place of deriving: `cl.follow` reaches it. */
  readonly follows: boolean;
  /** Whether a signer can sign for it: `signer` of the chain reaches it. */
  readonly takesSigner: boolean;
  /** Whether it reads or writes batches on a DA server: `altDa` of the chain reaches it. */
  readonly takesAltDa: boolean;
  /** Whether a conductor can lead it: `conductor` of the chain reaches it. */
  readonly takesConductor: boolean;
  /** Whether it leads one sequencer alone, as op-conductor does: each one of a set has its own. */
  readonly leadsOne: boolean;
  /** Arguments that would break the network, each with the reason. */
  readonly refusedArguments: Readonly<Record<string, string>>;
  /** Newest fork that it implements; null if it keeps up with this package. */
  readonly until: string | null;
  /** First fork that it refuses at one time with the fork before it, after genesis; null: it takes all. */
  readonly distinctTimesFrom: string | null;
  /** Ethereum forks of L1 that it can run; null: all. */
  readonly hardforks: readonly string[] | null;
  /** Whether it makes the blocks of L1 by its Engine API. */
  readonly drivesEngine: boolean;
  /** Whether it makes the blocks of an L1 without an Engine API. */
  readonly drivesAnvil: boolean;
  /** Whether forks of L1 can activate after genesis. */
  readonly l1Forks: boolean;
  /** Slots of an epoch, at whose first slots alone forks of L1 activate; null: at any time. */
  readonly slotsPerEpoch: number | null;
  /** Whether it can be told another activation time for a fork. */
  takesOverride(fork: string): boolean;
  /**
   * Source of its upgrade transactions. `directory`: bundles from a folder. `builtin`: the official ones, compiled in.
   * `none`: it needs none.
   */
  readonly upgradeBundles: 'directory' | 'builtin' | 'none';
}
