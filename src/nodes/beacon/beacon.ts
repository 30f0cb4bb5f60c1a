import type { L1Forks } from '../../protocol/forks/l1-forks.ts';
import { TransportError } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import type { GatewayMethods } from '../../rpc/gateway/methods.ts';
import type { HostOriginPolicy } from '../../rpc/server/host-origin.ts';
import type { Channel } from '../../system/channel/channel.ts';
import type { PoolFaultMatch } from '../../system/channel/l1-requests.ts';
import type { Activity } from '../../system/channel/quiesce.ts';
import type { FileStore } from '../../system/files/line-file.ts';
import type { Logger } from '../../system/program/log.ts';
import { backoff } from '../../system/time/backoff.ts';
import { createMutex } from '../../system/time/mutex.ts';
import { pause } from '../../system/time/pause.ts';
import { accountMethods } from './accounts/account-methods.ts';
import { NO_KEYS } from './accounts/l1-keys.ts';
import type { BeaconState } from './api/api-state.ts';
import { SlotChain } from './chain/chain.ts';
import type { Journal } from './chain/journal.ts';
import { anvil } from './l1/anvil.ts';
import { ChainReconciler } from './l1/chain-reconciler.ts';
import { ChainStore } from './l1/chain-store.ts';
import { l1Checkpoints } from './l1/checkpoints.ts';
import { EngineL1, type EnginePlace } from './l1/engine/engine-l1.ts';
import { engineReorganisations } from './l1/engine/engine-reorganisations.ts';
import { haltable } from './l1/haltable.ts';
import { checkL1Identity } from './l1/identity.ts';
import type { L1Chain } from './l1/l1-chain.ts';
import { L1Changes } from './l1/l1-changes.ts';
import { followHead, mineSlots } from './l1/miner.ts';
import { reorganisations } from './l1/reorganisations.ts';
import { MovedError } from './l1/replay.ts';
import { Stall } from './l1/stall.ts';
import { anvilOnly, stateChanges } from './l1/state-changes.ts';

/** Settings of the beacon node. */
export interface BeaconConfig extends HostOriginPolicy {
  readonly l1: string;
  readonly chainId: number | undefined;
  readonly genesisHash: string | undefined;
  readonly forks: L1Forks;
  /** L1 makes its blocks by its Engine API. Absent: L1 is anvil. */
  readonly engine?: EngineSettings | undefined;
  /** Unix seconds; undefined: the time of block 0. */
  readonly genesisTime: number | undefined;
  readonly secondsPerSlot: number;
  readonly mine: boolean;
  readonly maxCatchUp: number;
  /** Default: arrival. */
  readonly order?: 'arrival' | 'sender';
  readonly datadir: string;
  /** File for the state of L1 that the next anvil loads; absent: one in the data folder. */
  readonly stateFile?: string | undefined;
  readonly host: string;
  readonly port: number;
  /** undefined: no gate in front of L1. */
  readonly gatePort?: number | undefined;
  readonly gateHost?: string;
  readonly version: string;
}

/** How the Engine API of L1 is reached, and what the beacon node says of its blocks. */
export type EngineSettings = Pick<EnginePlace, 'engine' | 'jwtSecret' | 'slotsInAnEpoch' | 'keys'>;

/** First and longest pause between attempts to reach L1, ms. */
const MIN_CONNECT_PAUSE_MS = 20;
const MAX_CONNECT_PAUSE_MS = 250;

/** Time (ms) for L1 to answer at a stop, which is ended by force after two seconds. */
const POOL_TIMEOUT_MS = 1000;

/** Time (ms) for L1 to write its whole state at a stop without a supervisor. */
const STATE_TIMEOUT_MS = 45_000;

/** Rejections by L1 in a row after which the beacon ends: L1 then lacks what the beacon needs of it. */
const MAX_REJECTIONS = 20;

/**
 * The running program: connects to L1, reconciles it with the journal, and mines. It connects again when L1 stops
 * answering.
 */
export class Beacon implements BeaconState {
  readonly version: string;
  readonly secondsPerSlot: number;
  readonly forks: L1Forks;
  readonly blobTransactions: FileStore;
  readonly #config: BeaconConfig;
  readonly #channel: Channel;
  readonly #activity: Activity;
  readonly #log: Logger;
  readonly #journal: Journal;
  readonly #signal: AbortSignal;
  readonly #l1: L1Chain;
  #store: ChainStore | undefined;
  #reconciler: ChainReconciler | undefined;
  #chainId: number;
  /** Aborted when the connection to L1 ends. */
  #connection = new AbortController();
  /** Resolves when the attempt to bring L1 where the journal is has succeeded or failed. */
  #attempt = Promise.withResolvers<void>();
  readonly #driving = haltable();
  readonly #stopped: Promise<unknown>;
  /** For work that reads or changes both L1 and the journal. */
  readonly #runExclusive = createMutex();
  readonly #stall = new Stall();
  readonly changes: L1Changes;
  distance: number | undefined;

  constructor(config: BeaconConfig, channel: Channel, log: Logger, journal: Journal, signal: AbortSignal) {
    this.version = config.version;
    this.secondsPerSlot = config.secondsPerSlot;
    this.forks = config.forks;
    this.blobTransactions = journal.blobTransactions;
    this.#config = config;
    this.#channel = channel;
    this.#activity = channel.activity();
    this.#log = log;
    this.#journal = journal;
    this.#signal = signal;
    this.#l1 = this.#l1Chain();
    this.changes = new L1Changes(config, {
      ...{ l1: this.#l1, stall: this.#stall },
      inStep: () => this.#inStep(),
      reconcile: () => this.#reconcile(),
      runExclusive: this.#runExclusive,
    });
    this.#chainId = config.chainId ?? journal.identity?.chainId ?? 0;
    signal.addEventListener('abort', () => this.#endAttempt(), { once: true });
    this.#stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  #l1Chain(): L1Chain {
    const { l1, engine, forks } = this.#config;
    const listeners = {
      disconnected: (error: Error) => this.#connection.abort(error),
      poolFaultMet: (match: PoolFaultMatch) => this.#channel.tellPoolFault(match),
    };
    if (engine === undefined) return anvil(this.#config, listeners);
    const place = { l1, ...engine, rulesAt: forks.rulesAt, blobTransactions: this.blobTransactions };
    return new EngineL1(place, listeners);
  }

  /** The methods of the gate that change L1, as its kind allows them. */
  get changeMethods(): GatewayMethods {
    const { changeState, reorganise } = this.changes;
    if (!(this.#l1 instanceof EngineL1)) return { ...stateChanges(changeState), ...reorganisations(reorganise) };
    const { keys = NO_KEYS } = this.#config.engine ?? {};
    return { ...anvilOnly(), ...accountMethods(keys), ...engineReorganisations(this.#l1, reorganise, keys) };
  }

  get chain(): SlotChain | undefined {
    return this.#store?.chain;
  }

  get chainId(): number {
    return this.#chainId;
  }

  get genesisTime(): number | undefined {
    return this.chain?.genesisTime ?? this.#config.genesisTime;
  }

  currentSlot(): number {
    return this.chain?.slotAt(this.#channel.now() / 1000) ?? 0;
  }

  close(): void {
    this.#l1.close();
  }

  async run(): Promise<void> {
    const pauses = backoff(MIN_CONNECT_PAUSE_MS, MAX_CONNECT_PAUSE_MS);
    this.#activity.busy();
    this.#channel.onFlush(() => this.#keep());
    this.#channel.onCheckpoints(l1Checkpoints(this.#l1, () => this.#inStep(), this.#driving, this.#runExclusive));
    const requests = this.#channel.activity();
    this.#channel.onL1(async (request) => {
      requests.busy();
      return this.changes.answer(request).finally(() => requests.idle());
    });
    // A stall that began before this start holds for the first block, too.
    await Promise.race([this.#channel.opened, this.#stopped]);
    while (!this.#signal.aborted) {
      try {
        const store = await this.#connect();
        pauses.succeeded();
        await this.#driving.run((signal) => this.#driveConnected(store, signal), this.#signal);
      } catch (error) {
        if (this.#signal.aborted) return;
        // A request of before a restart, late in L1's queue, may have moved its head meanwhile: L1 is compared again.
        const hasMoved = error instanceof RpcError || error instanceof MovedError;
        if (!(hasMoved && pauses.failures < MAX_REJECTIONS) && !(error instanceof TransportError)) throw error;
        const hadAnswered = this.distance !== undefined;
        this.distance = undefined;
        this.#endAttempt();
        const wait = pauses.next();
        if (hadAnswered || pauses.failures % 40 === 0)
          this.#log.warn(hasMoved ? 'L1 is no longer where it was' : 'L1 does not answer', { error });
        await pause(wait, this.#signal);
      }
    }
  }

  /** Undefined if L1 is if the journal is. Else it resolves when the present attempt to bring it there ends. */
  attempt(): Promise<void> | undefined {
    return this.distance === 0 || this.#signal.aborted ? undefined : this.#attempt.promise;
  }

  #endAttempt(): void {
    this.#attempt.resolve();
    this.#attempt = Promise.withResolvers<void>();
  }

  /** Checks the identity of L1 and sends it the missing blocks. */
  async #connect(): Promise<ChainStore> {
    this.#connection = new AbortController();
    const { chainId, genesis } = await checkL1Identity(this.#l1, this.#config, this.#journal.identity);
    this.#chainId = chainId;
    if (this.#journal.identity === undefined) this.#journal.begin({ chainId, genesisHash: genesis.hash });
    this.#store ??= new ChainStore(new SlotChain(genesis, this.secondsPerSlot), this.#journal, this.#l1.stateFile);
    this.#reconciler ??= new ChainReconciler(this.#store, this.#l1, this.#log);
    await this.#runExclusive(() => this.#reconcile());
    const { chain } = this.#store;
    await this.#l1.stateFile.sendPool(chain.head);
    this.#log.info('Drives L1', { chainId, head: chain.head.number, slot: chain.headSlot });
    return this.#store;
  }

  /** @throws Error if L1 is not where the journal is */
  #inStep(): ChainStore {
    if (this.#store && this.distance === 0) return this.#store;
    throw new Error('L1 does not answer, or it is being restored');
  }

  #keep(): Promise<void> {
    return this.#runExclusive(async () => this.#l1.stateFile.keep((await this.changes.upToDate()).chain.head));
  }

  /**
   * Keeps what the next L1 needs: the transactions that wait, and the whole state if no supervisor has it kept. An L1
   * that is not in step, or answers late, keeps nothing.
   */
  async keepAtStop(): Promise<void> {
    if (this.distance !== 0) return;
    const isSupervised = this.#channel.checkpoint !== undefined;
    const keep = isSupervised
      ? this.#runExclusive(() => this.#l1.stateFile.keepPool(this.#inStep().chain.head))
      : this.#keep();
    const saving = keep.catch((error: unknown) => this.#log.warn('L1 is not kept for its next start', { error }));
    const late = new AbortController();
    await Promise.race([saving, pause(isSupervised ? POOL_TIMEOUT_MS : STATE_TIMEOUT_MS, late.signal)]);
    late.abort();
  }

  async #reconcile(): Promise<void> {
    await this.#reconciler?.reconcile((done, of) => {
      this.distance = of - done;
    });
    this.distance = 0;
    this.#endAttempt();
  }

  /** Drives L1 while its connection is open. A restart of L1 is found at once, also while the clock stands. */
  async #driveConnected(store: ChainStore, signal: AbortSignal): Promise<void> {
    const { signal: connectionLoss } = this.#connection;
    await this.#drive(store, AbortSignal.any([signal, connectionLoss]));
    if (!signal.aborted) connectionLoss.throwIfAborted();
  }

  #drive(store: ChainStore, signal: AbortSignal): Promise<void> {
    const options = {
      l1: this.#l1,
      store: store,
      reconcile: () => this.#reconcile(),
      runExclusive: this.#runExclusive,
      clock: this.#channel,
      activity: this.#activity,
      log: this.#log,
      order: this.#config.order ?? 'arrival',
      maxCatchUp: this.#config.maxCatchUp,
      stall: this.#stall,
      signal,
      traces: this.#channel.traces,
    };
    return this.#config.mine ? mineSlots(options) : followHead(options, (this.secondsPerSlot * 1000) / 4);
  }
}
