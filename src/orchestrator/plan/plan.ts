import type { ChainGenesisInputs, L1GenesisInputs } from '../../protocol/genesis/index.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Probe } from '../probe/kinds.ts';

export type { Probe };

/**
 * Everything that `devnet up` does, as plain printable data.
 * The supervisor takes a plan and no other input, so no default and no reference is left open. `devnet plan --json`
 * prints it.
 */
export interface Plan {
  readonly version: 1;
  readonly devnet: string;
  /** Absolute path of the devnet's folder; every other path below is absolute too. */
  readonly home: string;
  readonly seed: number;
  /** Unix seconds, genesis of L1 and L2. */
  readonly genesisTime: number;
  /** How the network's clock moves. `rate`: chain seconds of a second; without meaning on a stepped clock. */
  readonly time: { readonly clock: 'wall' | 'instant' | 'stepped'; readonly rate: number };
  /** In the order in which they are written. */
  readonly files: readonly PlannedFile[];
  /** In the order in which they start. Every task stands behind those that it needs. */
  readonly tasks: readonly Task[];
  readonly network: NetworkView;
  /** Name of the package's own container image. */
  readonly image: string;
  /** Size at which the log of a process is rotated. */
  readonly logBytes: number;
  /** Its page, where the spec asks for one. It runs beside the tasks, from when the network is ready. */
  readonly dashboard?: PlannedDashboard;
  /**
   * Numbers of all reserved ports by `<task>:<port>`, also of those that an argument opens in a later change. Absent in
   * a plan that reserves none.
   */
  readonly ports?: Readonly<Record<string, number>>;
  /** Printed for the user, for example clients that read the machine's clock. */
  readonly notices: readonly string[];
}

export interface PlannedDashboard {
  readonly url: string;
  readonly port: number;
  readonly command: Command;
  /** Its output. */
  readonly log: string;
}

export interface PlannedFile {
  readonly path: string;
  /** 0o600 for secrets. */
  readonly mode: number;
  readonly secret: boolean;
  readonly content: FileContent;
}

/**
 * Content of a file. A large one holds the inputs of the pure function that renders it, which also computed the
 * plan's hashes.
 */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'l1-genesis'; readonly inputs: L1GenesisInputs }
  | { readonly kind: 'l2-genesis'; readonly inputs: ChainGenesisInputs }
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
  /**
   * network: its blocks follow the network's clock. wall: they follow the machine's clock. none: it depends on no
   * clock.
   */
  readonly clock: 'network' | 'wall' | 'none';
  /** Commands that run one after another before the main command. Each must exit with 0. */
  readonly prepare: readonly Command[];
  readonly command: Command;
  /**
   * Rewinds the chain while the process is stopped. The block number follows as the last word. Absent: not supported.
   */
  readonly rewind?: Command;
  /**
   * Its command where a file exists that holds its state, and the planned files that it reads then. Present for clients
   * that keep their chain in memory only.
   */
  readonly resume?: { readonly file: string; readonly command: Command; readonly reads: readonly string[] };
  /** Makes the binary print its version; absent where the program is a part of this package. */
  readonly version?: Command;
  /** Keys and JWT secrets of the process. They are redacted wherever its command or output is printed. */
  readonly secrets: readonly string[];
  /** Tasks that it depends on, with the state that it waits for. */
  readonly needs: readonly { readonly task: string; readonly until: 'spawned' | 'ready' }[];
  /** Starts when the network is ready, and is no part of its readiness. */
  readonly late?: true;
  /** Paths of the files of the plan that its commands read. */
  readonly reads: readonly string[];
  readonly ports: readonly PlannedPort[];
  /** Usual time (ms) between two of its transactions on L1, where its options or the spec give one. */
  readonly paceMs?: number;
  /** Arguments that the spec adds or replaces; null: removed. */
  readonly given?: Readonly<Record<string, string | null>>;
  /** It posts finalized blocks, not safe ones. */
  readonly postsFinalized?: boolean;
  /** Default time (ms) between two reads of L1 by a rollup node. */
  readonly polls?: { readonly l1HeadMs: number; readonly l1FinalityMs: number };
  /** Regular expressions for log lines that never count as complaints. */
  readonly harmless?: readonly string[];
  /**
   * RPC method that receives the newest block of its execution client (`head`) at every start, before it is ready.
   */
  readonly firstBlock?: { readonly rpc: string; readonly method: string; readonly head: string };
  /** Probes that must all succeed before the task is ready. */
  readonly ready: readonly Probe[];
  /** Probes that run from time to time once the task is ready. */
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
  /** Its container. Absent: it runs as a process of this machine. */
  readonly container?: Container;
  /** A program of this package: it ends itself when the supervisor is gone. */
  readonly lifeline: boolean;
}

/** What a task's container is made of, beside its command. */
export interface Container {
  readonly image: string;
  /** Whether it is the package's own image, which is built where it is absent. */
  readonly own: boolean;
  /** Whether the image's entry point is the program, so that `argv` begins with its arguments. */
  readonly entry: boolean;
  readonly limits?: { readonly cpus?: number; readonly memory?: number };
}

export interface PlannedPort {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
}

/** The addresses and facts that `status`, `env`, `accounts`, `check` and the observers read. */
interface NetworkView {
  readonly l1: {
    readonly chainId: number;
    /** URL for users: of the gate, where there is one. */
    readonly rpc: string;
    readonly ws: string;
    /** URLs of L1 itself, for the network's own processes and observers. */
    readonly direct: { readonly rpc: string; readonly ws: string };
    readonly beacon: string;
    readonly genesisHash: string;
    readonly blockTime: number;
    /** Public contracts by name; those of a chain stand in its view. */
    readonly contracts: Readonly<Record<string, Hex>>;
  };
  readonly chains: readonly ChainView[];
}

export interface ChainView {
  readonly name: string;
  readonly chainId: number;
  readonly blockTime: number;
  readonly genesisHash: string;
  /** Name → address, of L1 and L2. */
  readonly contracts: { readonly l1: Readonly<Record<string, Hex>>; readonly l2: Readonly<Record<string, Hex>> };
  readonly accounts: readonly AccountView[];
  /**
   * Fork → Unix seconds; null: the spec says never. 0 or the genesis time: active from genesis.
   * Forks that are not scheduled are absent.
   */
  readonly forks: ForkTimes;
  /** By fork that activates in mid-chain with upgrade transactions: where their code comes from. */
  readonly bundles?: Readonly<Record<string, BundleOrigin>>;
  readonly genesisFile: string;
  readonly rollupFile: string;
  readonly nodes: readonly NodeView[];
  readonly batcher?: { readonly task: string; readonly rpc?: string };
  readonly proposer?: { readonly task: string; readonly rpc?: string };
}

/**
 * A funded account or a role. Private keys are present only where they are public. Processes hold the keys of their
 * roles in files; keys of addresses that the user named are unknown.
 */
export interface AccountView {
  readonly address: Hex;
  readonly privateKey?: Hex;
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
  /** Whether it receives blocks by gossip. Without gossip it has only what it derives from L1. */
  readonly gossip: boolean;
  /** Fork → Unix seconds, null: never. Only forks whose time differs from the chain's. */
  readonly overrides: ForkTimes;
}

/** The published bytecode, this package's own contracts, or a file of the spec. */
export type BundleOrigin = 'official' | 'unofficial' | 'given';

/** Activation times by fork in Unix seconds; null: never. */
export type ForkTimes = Readonly<Record<string, number | null>>;
