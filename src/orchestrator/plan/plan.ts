/**
 * The plan: everything that `devnet up` will do, as plain printable data. Planning returns it, running takes it and nothing else.
 * No closures, no defaults left open, no reference left unresolved. `devnet plan --json` prints it.
 */
export interface Plan {
  readonly version: 1;
  readonly devnet: string;
  /** Absolute path of the devnet's folder; every other path below is absolute too. */
  readonly home: string;
  readonly seed: number;
  /** Unix seconds, genesis of L1 and L2. */
  readonly genesisTime: number;
  /** In the order in which they are written. */
  readonly files: readonly PlannedFile[];
  /** In the order in which they start. Every task stands behind those that it needs. */
  readonly tasks: readonly Task[];
  readonly network: NetworkView;
  /** Size at which the log of a process is rotated. */
  readonly logBytes: number;
  /** Said to the user: ports that moved, offset-bound clients. */
  readonly notices: readonly string[];
}

export interface PlannedFile {
  readonly path: string;
  /** 0o600 for secrets. */
  readonly mode: number;
  readonly secret: boolean;
  readonly content: FileContent;
}

/** Large contents are named, not held: the runner renders them with the same pure function that the planner hashed. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'l1-genesis'; readonly inputs: unknown }
  | { readonly kind: 'l2-genesis'; readonly inputs: unknown }
  | { readonly kind: 'upgrade-bundle'; readonly fork: string }
  /** Another content, or a file of the user's, without the keys at these paths. */
  | {
      readonly kind: 'without';
      readonly of: FileContent | { readonly kind: 'file'; readonly path: string };
      readonly keys: readonly string[];
    };

export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type TaskKind = 'l1' | 'beacon' | 'el' | 'cl' | 'batcher' | 'proposer';

export interface Task {
  /** `l1`, `l1-beacon`, `<chain>/<node>/el`, `<chain>/<node>/cl`, `<chain>/batcher`, `<chain>/proposer` */
  readonly id: string;
  readonly kind: TaskKind;
  readonly chain?: string;
  readonly node?: string;
  /** Template name, for messages. */
  readonly client: string;
  readonly launch: 'spawn' | 'manual' | 'external';
  /** network: its blocks follow the network's clock; wall: the machine's; none: it takes no time of its own. */
  readonly clock: 'network' | 'wall' | 'none';
  /** Run to exit 0, one after another, before the command. */
  readonly prepare: readonly Command[];
  readonly command: Command;
  /** Takes the chain back while the process is stopped; the block's number follows as the last word. Absent: it cannot. */
  readonly rewind?: Command;
  /** Makes the binary print its version; absent where the program is a part of this package. */
  readonly version?: Command;
  /** What the process knows that is redacted wherever its command or its output is printed: keys, the JWT secret. */
  readonly secrets: readonly string[];
  /** Tasks that it depends on, with the state that it waits for. */
  readonly needs: readonly { readonly task: string; readonly until: 'spawned' | 'ready' }[];
  /** Tasks that are spawned before it, so that it takes no processor time from their prepare steps. It does not depend on them. */
  readonly after?: readonly string[];
  /** Starts when the network is ready, and is no part of its readiness. */
  readonly late?: true;
  /** Paths of the files of the plan that its commands read. */
  readonly reads: readonly string[];
  readonly ports: readonly PlannedPort[];
  /** Usual milliseconds between two of its transactions on L1, where its options or the spec say so. */
  readonly paceMs?: number;
  /** Arguments that the spec gives it over those of its template; null: dropped. */
  readonly given?: Readonly<Record<string, string | null>>;
  /** It posts finalized blocks, not safe ones. */
  readonly postsFinalized?: boolean;
  /** Milliseconds between two reads of L1 by a rollup node, where no option says so. */
  readonly polls?: { readonly l1HeadMs: number; readonly l1FinalityMs: number };
  /** Regular expressions for lines of its log that are no complaint. */
  readonly harmless?: readonly string[];
  /** A method that is sent the newest block of its execution client (`head`) at every start, before it is ready. */
  readonly firstBlock?: { readonly rpc: string; readonly method: string; readonly head: string };
  /** All must hold. */
  readonly ready: readonly Probe[];
  /** Held once in a while when ready. */
  readonly live: readonly Probe[];
  readonly stop: {
    readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT';
    readonly graceMs: number;
    /** Time before the signal is sent a second time. */
    readonly againMs?: number;
  };
  readonly onExit: 'fail' | 'restart' | 'ignore';
  /** stdout and stderr of the process. */
  readonly log: string;
  /** A program of this package: it ends itself when the supervisor is gone. */
  readonly lifeline: boolean;
}

export interface PlannedPort {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
}

/** What a probe accepts: every given key of `expect` equals the answer at that path (`a.b.0`); hex compares without case. */
export type Probe =
  | {
      readonly kind: 'rpc';
      readonly url: string;
      readonly method: string;
      readonly params: readonly unknown[];
      /** path in the result ('' is the result itself) → value */
      readonly expect: Readonly<Record<string, unknown>>;
      readonly jwtFile?: string;
      readonly description: string;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly status: number;
      readonly expect: Readonly<Record<string, unknown>>;
      readonly description: string;
    }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly description: string }
  | { readonly kind: 'log'; readonly pattern: string; readonly description: string }
  | { readonly kind: 'exit'; readonly code: number; readonly description: string }
  | { readonly kind: 'height'; readonly url: string; readonly atLeast: number; readonly description: string }
  | { readonly kind: 'peers'; readonly url: string; readonly atLeast: number; readonly description: string };

/** The addresses and facts that `status`, `env`, `accounts`, `check` and the observers read. */
interface NetworkView {
  readonly l1: {
    readonly chainId: number;
    /** Of the gate, where there is one: for users. */
    readonly rpc: string;
    readonly ws: string;
    /** Of L1 itself: for the network's own processes and observers. */
    readonly direct: { readonly rpc: string; readonly ws: string };
    readonly beacon: string;
    readonly genesisHash: string;
    readonly blockTime: number;
    /** Public contracts by name; those of a chain stand in its view. */
    readonly contracts: Readonly<Record<string, string>>;
  };
  readonly chains: readonly ChainView[];
}

export interface ChainView {
  readonly name: string;
  readonly chainId: number;
  readonly blockTime: number;
  readonly genesisHash: string;
  /** Name → address, of L1 and L2. */
  readonly contracts: { readonly l1: Readonly<Record<string, string>>; readonly l2: Readonly<Record<string, string>> };
  readonly accounts: readonly AccountView[];
  /** Fork → Unix seconds. 0 or genesis time: from genesis; null: never, because the spec says so. Other forks are absent. */
  readonly forks: ForkTimes;
  readonly genesisFile: string;
  readonly rollupFile: string;
  readonly nodes: readonly NodeView[];
  readonly batcher?: { readonly task: string; readonly rpc?: string };
  readonly proposer?: { readonly task: string; readonly rpc?: string };
}

/**
 * A funded account or a role. Only public keys stand here: processes hold the keys of their roles in files, and the keys of
 * addresses that the user named are not known.
 */
export interface AccountView {
  readonly address: string;
  readonly privateKey?: string;
  readonly role?: string;
}

export interface NodeView {
  readonly name: string;
  readonly role: 'sequencer' | 'verifier';
  readonly el: {
    readonly task: string;
    readonly client: string;
    readonly implementation: string;
    readonly http: string;
    readonly ws: string;
    readonly engine: string;
    readonly jwt: string;
  };
  readonly cl: {
    readonly task: string;
    readonly client: string;
    readonly implementation: string;
    readonly rpc: string;
    readonly p2p: string;
    readonly peerId: string;
  };
  /** Whether blocks reach it from other nodes; without, it has what it derives from L1. */
  readonly gossip: boolean;
  /** Fork → Unix seconds, null: never; where this node's differ from the chain's. */
  readonly overrides: ForkTimes;
}

/** Activation times by fork in Unix seconds; null: never. */
export type ForkTimes = Readonly<Record<string, number | null>>;
