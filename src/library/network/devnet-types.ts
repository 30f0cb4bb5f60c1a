import type { ChangedNode } from '../../orchestrator/change/change-node.ts';
import type { Moved } from '../../orchestrator/change/move-forks.ts';
import type { MovedSequencer } from '../../orchestrator/change/nodes/move-sequencer.ts';
import type { SkewedClock } from '../../orchestrator/change/skew-clock.ts';
import type { WarpResult } from '../../orchestrator/clock/warp.ts';
import type { ExplainedResult as CheckResult } from '../../orchestrator/devnet/check-devnet.ts';
import type { ScenarioResult } from '../../orchestrator/scenario/result.ts';
import type { NetworkEvent } from '../../orchestrator/state/network-event-type.ts';
import type { Status } from '../../orchestrator/status/status.ts';
import type { LoadResult } from '../../orchestrator/traffic/load/load.ts';
import type { L1, Rollup, RollupClient } from './chain-types.ts';
import type { Faults } from './faults.ts';
import type {
  ContinueRequest,
  Deposited,
  DepositRequest,
  Funded,
  FundRequest,
  LoadOptions,
  OnChain,
  Withdrawn,
  WithdrawRequest,
} from './traffic-types.ts';

/** A running network. Disposing of one that `startDevnet` made tears it down. */
export interface Devnet extends AsyncDisposable {
  readonly name: string;
  /** Folder with the logs and data of every process. */
  readonly folder: string;
  /** The variables of `devnet env`: addresses, chain ids, contracts, accounts. */
  readonly env: Readonly<Record<string, string>>;
  readonly l1: L1;
  /** Names of the rollups. */
  readonly chains: readonly string[];
  /** Returns a rollup by its name; the only one without a name. @throws UsageError if there is none, or several */
  chain(name?: string): Rollup;
  /** Returns a node, or a process: `verifier`, `main/verifier`, `verifier.cl`, `batcher`, `l1`. @throws UsageError */
  node(name: string): DevnetNode;
  /**
   * Adds a verifier to a running chain and waits until it agrees with another node. The network keeps it over stop and
   * start. A node that does not come to agree is removed again.
   * @throws UsageError if its name is in use, SpecError for a client or key that is not known
   */
  addNode(name: string, options?: AddNodeOptions): Promise<DevnetNode>;
  /** Ends a verifier's processes and removes it with its data. @throws UsageError if it is the sequencer */
  removeNode(name: string): Promise<void>;
  /**
   * Gives the sequencer's role of a chain to another of its nodes, without a fork and without a lost transaction.
   * `chain()` returns the clients of the new one from then on.
   * @throws DevnetError if the node is behind, stopped, or the move failed and was undone
   */
  moveSequencer(node: string): Promise<MovedSequencer>;
  /** Reads phase, addresses, heads and problems. */
  status(): Promise<Status>;
  /** Compares every block on every node. A divergence is a result, no error. */
  check(options?: CheckOptions): Promise<CheckResult>;
  /**
   * Waits for `ready`, `block:N`, `safe:N`, `finalized:N` or `fork:NAME`.
   * @throws TimeoutError if it does not come true in time, DevnetError if it no longer can
   */
  waitFor(condition: string, options?: WaitOptions): Promise<void>;
  /**
   * Moves the network's clock forward, slot by slot: every block in between is built, posted and derived.
   * `to`: `+1h`, `block:N`, `time:T` (Unix seconds), or `fork:NAME` for the last block before the fork.
   * @throws UsageError if that lies behind, DevnetError if a process does not follow
   */
  warp(to: string, options?: WarpOptions): Promise<WarpResult>;
  /** Stops the network's clock: no block is due until `resume`. */
  pause(): Promise<void>;
  /** Lets the network's clock run on. */
  resume(): Promise<void>;
  /**
   * Moves forks of a whole chain to other times: `now+40s`, `+60s` after genesis, `block:40`, `never`, Unix seconds.
   * @throws UsageError if heads are past a moved activation and `rewind` is not given
   */
  fork(times: ForkTimes, options?: ForkOptions): Promise<Moved>;
  /** Faults of the links between its processes, if it was started with `faults: true`. */
  readonly faults: Faults;
  /** Sends transactions and waits until they are in blocks. Failed ones are counted in the result. */
  load(options?: LoadOptions): Promise<LoadResult>;
  /** Mints ether to an address on L2 by a deposit. @throws DevnetError if the address refuses it */
  fund(request: FundRequest): Promise<Funded>;
  /**
   * Sends a transaction to L2 through the portal on L1, and waits until the sequencer has it in a block.
   * @throws TimeoutError if it is in no block in time, DevnetError if L1 reverts it
   */
  deposit(request: DepositRequest): Promise<Deposited>;
  /**
   * Withdraws ether from L2: initiates it, proves it on L1 and finalizes it there.
   * @throws TimeoutError if it is not finalized in time, DevnetError if a transaction reverts, the portal has too
   * little, or the receiver does not have the amount at the end
   */
  withdraw(request: WithdrawRequest | ContinueRequest): Promise<Withdrawn>;
  /** Yields events as they happen: heads, forks, reorgs, stalls, divergences. Ends with the network or the loop. */
  watch(options?: WatchOptions): AsyncGenerator<NetworkEvent, void, undefined>;
  /**
   * Runs the steps of a scenario on this network: a path, a name in devnets/scenarios, or the document itself. A
   * devnet that the scenario names is not started. A failed step is a result, no error.
   * @throws SpecError if a step can never come true
   */
  run(scenario: string | ScenarioDocument, options?: RunOptions): Promise<ScenarioResult>;
  /**
   * Takes a snapshot of the whole network at one moment: L1, every node, batcher, proposer, pools and the clock. The
   * clock stands meanwhile. Without a name it lives as long as the network. With one it is saved in the home folder,
   * for `startDevnet({ from })` and `devnet up --from`.
   * @throws SnapshotError if a process is stopped, reads the machine's clock, or runs in a container
   */
  snapshot(name?: string): Promise<Snapshot>;
  /**
   * Goes back to a snapshot, any number of times. Without a restart if every process is of this package and holds
   * the snapshot itself. Else, and to one with a name, every process starts again with its state: that takes as long as
   * a start and closes WebSockets. Addresses, handles and clients stay valid.
   * @throws SnapshotError if a process is stopped, if another revert is under way, or if forks have moved
   */
  revert(snapshot: Snapshot): Promise<void>;
  /** Returns the lines of the logs of all processes, each after the name of its process. */
  logs(options?: LogOptions): readonly string[];
  /**
   * Tears the network down and deletes its folder, also if others have stopped it or started it again. Without
   * effect if it is gone. @throws DevnetError `another` if another devnet has its name now
   */
  down(): Promise<void>;
}

/** A state of a network to go back to. */
export interface Snapshot {
  /** Its name if it is saved, else a number as `#1`. */
  readonly id: string;
}

/** A node, or one process, of a network. */
export interface DevnetNode {
  /** Ids of its processes, as `status` names them. */
  readonly tasks: readonly string[];
  /** Client of its execution client. @throws UsageError if it has none: a batcher, for example */
  readonly public: RollupClient;
  /** Ends its processes. The network goes on without them. */
  stop(): Promise<void>;
  /** Starts its processes if they are stopped. */
  start(): Promise<void>;
  /** Kills its processes without grace. */
  kill(): Promise<void>;
  /** Suspends its processes. */
  pause(): Promise<void>;
  /** Lets suspended processes run on. */
  resume(): Promise<void>;
  /** Stops its processes and starts them again, with other fork times or arguments if given. */
  restart(changes?: RestartChanges): Promise<ChangedNode>;
  /** Empties its data and starts it again: it derives or syncs its chain anew. */
  reset(changes?: NodeChanges): Promise<ChangedNode>;
  /**
   * Sets its clocks ahead of the network's (ms), or back; 0 ends that. A skew ends with the network.
   * @throws DevnetError for other clients than those of this package, and on a stepped clock
   */
  skew(ms: number): Promise<SkewedClock>;
  /** Returns the lines of its logs. */
  logs(options?: LogOptions): readonly string[];
}

/** Activation times by fork: `+60s` after genesis, `now+40s`, `block:40`, `never`, or Unix seconds. */
export type ForkTimes = Readonly<Record<string, string | number>>;

/** Other fork times and arguments of a node. They stay until they are changed again. */
export interface NodeChanges {
  /** Of both processes of the node. */
  readonly override?: ForkTimes;
  /** Arguments of one process (`verifier.el`); null removes one. */
  readonly args?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Changes of a restart. */
export interface RestartChanges extends NodeChanges {
  /** If the head is past a moved activation: goes back to the block before it. */
  readonly rewind?: boolean;
}

/** Options of `addNode`. */
export interface AddNodeOptions extends OnChain {
  /** Its execution client. Default: that of a verifier in a spec. */
  readonly el?: string;
  /** Its rollup node. Default: that of a verifier in a spec. */
  readonly cl?: string;
  /** Nodes that it keeps connected. Default: as `peers` of the chain says; empty: none. */
  readonly peers?: readonly string[];
  /** The node whose safe and finalized heads it follows in place of deriving. */
  readonly follow?: string;
  /** Keys of the node as `--set` writes them: `el.args.gcmode=full`. */
  readonly set?: readonly string[];
}

/** Options of `check`. */
export interface CheckOptions {
  /** Adds to each divergence what differs, and which fork times would explain it. */
  readonly explain?: boolean;
}

/** Options of `waitFor`. */
export interface WaitOptions {
  /** On this node only: NAME or CHAIN/NAME. Default: on every node. */
  readonly node?: string;
  /** Milliseconds; of chain time if the clock is stepped. Default: 60,000. */
  readonly timeout?: number;
}

/** Options of `warp`. */
export interface WarpOptions extends OnChain {
  /** With `fork:NAME`: into its first block. */
  readonly past?: boolean;
  /** Ends the warp at its slot's end: the result is not `complete`. */
  readonly signal?: AbortSignal;
}

/** Options of `fork`. */
export interface ForkOptions extends OnChain {
  /** If heads are past a moved activation: goes back to the block before it. */
  readonly rewind?: boolean;
}

/** Options of `watch`. */
export interface WatchOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** A scenario as its file would hold it: `{ steps: [{ wait: 'safe:2' }] }`. */
export interface ScenarioDocument {
  readonly name?: string;
  readonly steps: readonly object[];
}

/** Options of `run`. */
export interface RunOptions {
  /** Seed of the choices of steps. Default: the scenario's, else 0. */
  readonly seed?: number;
}

/** Selects lines of logs. */
export interface LogOptions {
  /** Only lines that match. */
  readonly grep?: RegExp;
  /** Only lines since this moment, Unix milliseconds. */
  readonly since?: number;
}
