import { l1RefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import { createFinality, type Finality } from '../../../protocol/derivation/pipeline/finality.ts';
import type { DaStorage, L1Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L1Header } from '../../../protocol/types.ts';
import type { Quiesce } from '../../../system/channel/quiesce.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import { ClSync } from '../clsync/clsync.ts';
import type { EngineClient } from '../engine/client.ts';
import { EngineController } from '../engine/controller.ts';
import type { L1Label } from '../l1/client.ts';
import { confDepth } from '../l1/conf-depth.ts';
import type { L1Connection } from '../l1/connect.ts';
import { type L1Tracker, l1Tracker } from '../l1/l1-tracker.ts';
import { EventLoop } from '../loop/loop.ts';
import type { Metricer } from '../metrics/metricer.ts';
import { Sequencer } from '../sequencer/sequencer.ts';
import type { AdminState } from './admin-state.ts';
import type { DaWait } from './da-wait.ts';
import { createDerivation, type Derivation } from './derivation.ts';
import { type ElSync, elSync } from './el-sync.ts';
import { type EngineResetDeriver, engineResetDeriver } from './engine-reset.ts';
import type { DriverEvent } from './events.ts';
import { type Finalizer, finalizer } from './finalizer.ts';
import type { FollowSource } from './follow-source.ts';
import { Follower } from './follower.ts';
import { PipelineDeriver } from './pipeline-deriver.ts';
import type { SafeDeriver } from './safe-deriver.ts';
import type { SafeDb } from './safedb.ts';

/** Settings of the driver, and the parts that it works with (op-node: `driver.Config`). */
export interface DriverOptions {
  readonly rollup: Rollup;
  readonly l1: L1Connection;
  readonly client: EngineClient;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly verifierConfirmations: number;
  /** Execution-layer sync comes first. `afterFinality`: also on an engine with finalized blocks. */
  readonly engineSync: { readonly afterFinality: boolean } | undefined;
  readonly safedb: SafeDb | undefined;
  readonly adminState: AdminState;
  /** Present on rollups with alternative DA. */
  readonly daStorage: DaStorage | undefined;
  /** The rollup node whose safe and finalized heads it follows. undefined: it derives them from L1. */
  readonly follow: FollowSource | undefined;
  /** undefined: this node is a verifier. */
  readonly sequencer:
    | {
        readonly confirmations: number;
        readonly maxSafeLag: number;
        readonly isRecovering: boolean;
        readonly isStopped: boolean;
        readonly commit: ((envelope: ExecutionPayloadEnvelope) => Promise<void>) | undefined;
      }
    | undefined;
  readonly meter: Metricer;
  /** Gossips a block that the sequencer has sealed. */
  readonly publish: (envelope: ExecutionPayloadEnvelope) => void;
  /** Receives every event of the driver. */
  readonly onEvent: (event: DriverEvent) => void;
  /** Requests a block from peers. */
  readonly request: (number: number, hash: Hex) => Promise<ExecutionPayloadEnvelope | null>;
}

/** L1 heads in the tracker, by number. */
const TRACKED_L1_HEADS = 256;

/** The parts that all derivers work with. */
interface DeriverParts {
  readonly rollup: Rollup;
  readonly client: EngineClient;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  readonly engine: EngineController;
  readonly wake: () => void;
  readonly requestReset: (reason: string) => void;
}

/** The driver of the chain: the derivers, wired with each other, and their event loop (op-node: `Driver`). */
export class Driver {
  readonly engine: EngineController;
  readonly heads: L1Tracker;
  readonly derivation: SafeDeriver;
  readonly unsafe: ClSync;
  readonly sequencer: Sequencer | undefined;
  readonly start: EngineResetDeriver;
  readonly loop: EventLoop;
  readonly #options: DriverOptions;
  readonly #finality: Finality = createFinality();
  readonly #finalizer: Finalizer;
  readonly #daWait: DaWait;
  readonly #sync: ElSync | undefined;

  /** Wires the derivers and starts their event loop (op-node: `NewDriver`). */
  constructor(options: DriverOptions) {
    const { rollup, l1, client, clock, log, signal, engineSync } = options;
    this.#options = options;
    this.heads = l1Tracker(TRACKED_L1_HEADS);
    this.engine = new EngineController(rollup, client, (heads) => {
      options.onEvent({ kind: 'heads', heads });
      this.#wake();
    });
    const view = this.#l1View(options.verifierConfirmations, l1.ahead);
    const derivation = createDerivation({ ...options, l1: view });
    this.#daWait = derivation.daWait;
    const parts = this.#parts();
    this.derivation = options.follow
      ? this.#createFollower(parts, options.follow)
      : this.#createPipelineDeriver(parts, derivation);
    this.#finalizer = finalizer({ ...parts, finality: this.#finality, heads: this.heads, altDa: derivation.altDa });
    this.unsafe = new ClSync({ ...parts, request: options.request });
    this.sequencer = this.#createSequencer(parts);
    this.#sync = engineSync && elSync({ rollup, client, log, ...engineSync });
    this.start = this.#createResetDeriver(parts);
    clock.report(() => ({
      kind: 'rollup',
      l1: this.heads.latest?.hash ?? null,
      // It derives as far as it can without the data.
      derived: this.derivation.isExhausted || this.#daWait.isWaiting,
      unsafe: this.engine.isReady ? this.engine.heads().unsafe.hash : null,
      number: this.engine.isReady ? this.engine.heads().unsafe.number : null,
    }));
    const sequencers = this.sequencer ? [this.sequencer] : [];
    const derivers = [this.start, ...sequencers, this.unsafe, this.derivation, this.#finalizer];
    this.loop = new EventLoop(derivers, clock, log, signal);
  }

  /** Returns the target of the execution-layer sync. */
  syncTarget() {
    return this.#sync?.target();
  }

  /** Accepts an unsafe payload whose signature was checked (op-node: `OnUnsafeL2Payload`). */
  onUnsafe(envelope: ExecutionPayloadEnvelope): void {
    this.#sync?.addTarget(envelope);
    this.unsafe.add(envelope);
  }

  /** Accepts a new L1 head, safe or finalized block (op-node: `OnL1Head`, `OnL1Safe`, `OnL1Finalized`). */
  onL1Block(label: L1Label, header: L1Header): void {
    const { log, meter, onEvent } = this.#options;
    const change = this.heads.note(label, header);
    if (change === 'reorg') log.warn('L1 was reorganised', { number: header.number, hash: header.hash });
    if (label === 'latest') meter.recordL1Head(header);
    if (label === 'latest') this.#daWait.over();
    if (label === 'latest') this.derivation.onL1Head();
    // A running derivation finalizes with its next safe head, or at its end.
    else if (label === 'finalized' && this.derivation.isExhausted) this.#finalizer.tryFinalize();
    onEvent({ kind: 'l1', label });
    this.#wake();
  }

  /**
   * Returns a function that restores the present state. Both run between two steps of the loop.
   * @throws Error while the heads are not known
   */
  async remember(): Promise<() => Promise<void>> {
    if (!this.engine.isReady) throw new Error('it looks for the heads of its engine');
    const { safe } = this.engine.heads();
    const restoreDerivation = await this.derivation.remember(safe);
    const sequencers = this.sequencer ? [this.sequencer] : [];
    const restores = [this.heads, this.#finalizer, ...sequencers, this.engine].map((part) => part.remember());
    return async () => {
      this.start.cancel();
      this.unsafe.clear();
      await restoreDerivation();
      for (const restore of restores) restore();
      this.#options.safedb?.truncate(safe.number);
    };
  }

  /** Wakes the event loop, once it runs. */
  #wake(): void {
    this.loop?.wake();
  }

  #parts(): DeriverParts {
    const { rollup, client, clock, log } = this.#options;
    return {
      rollup,
      client,
      clock,
      log,
      engine: this.engine,
      wake: () => this.#wake(),
      requestReset: (reason) => this.start.request(reason),
    };
  }

  #l1View(confirmations: number, ahead?: number): L1Chain {
    const { l1 } = this.#options;
    return confDepth(l1.client, this.heads, l1.blobs, confirmations, ahead);
  }

  #createPipelineDeriver(parts: DeriverParts, { createPipeline }: Derivation): PipelineDeriver {
    const { meter, safedb, onEvent } = this.#options;
    return new PipelineDeriver({
      ...parts,
      createPipeline,
      lacksData: () => this.#daWait.isWaiting,
      onFailure: (isReorg) => meter.recordFailure('derivation', isReorg),
      onSafe: (derivedFrom, head) => {
        this.#finality.safeHead(derivedFrom, head);
        safedb?.note(derivedFrom, head);
      },
      takeFinal: () => this.#finalizer.takeFinal(),
      onExhausted: (origin, head) => {
        this.#finality.safeHead(origin, head);
        this.#finalizer.tryFinalize();
        onEvent({ kind: 'exhausted', origin: l1RefOf(origin), head });
      },
    });
  }

  #createFollower(parts: DeriverParts, source: FollowSource): Follower {
    const { safedb, onEvent, signal, request } = this.#options;
    return new Follower({
      ...parts,
      ...{ source, l1: this.#l1View(0), heads: this.heads, signal, request },
      onSafe(origin, head) {
        safedb?.note(origin, head);
        onEvent({ kind: 'exhausted', origin: l1RefOf(origin), head });
      },
    });
  }

  #createSequencer(parts: DeriverParts): Sequencer | undefined {
    const { sequencer: settings, client, meter, adminState, publish } = this.#options;
    if (!settings) return undefined;
    return new Sequencer({
      ...parts,
      l1: this.#l1View(settings.confirmations),
      l2: client,
      commit: settings.commit,
      publish,
      meter,
      maxSafeLag: settings.maxSafeLag,
      isRecovering: settings.isRecovering,
      isActive: adminState.sequencerStarted ?? !settings.isStopped,
    });
  }

  #createResetDeriver(parts: DeriverParts): EngineResetDeriver {
    const { l1, meter, safedb, onEvent } = this.#options;
    return engineResetDeriver({
      ...parts,
      l1: this.#l1View(0),
      isL1Known: () => this.heads.latest !== undefined,
      l1ChainId: () => l1.client.chainId(),
      finalizedBy: () => this.#finalizer.finalizedBy(),
      engineSync: this.#sync,
      onReset: (reason) => {
        this.derivation.suspend();
        onEvent({ kind: 'reset', reason });
      },
      onHeads: async ({ safe }) => {
        meter.recordPipelineReset();
        this.#finality.reset();
        safedb?.truncate(safe.number);
        this.sequencer?.reset();
        this.unsafe.reset();
        await this.derivation.reset(safe);
      },
    });
  }
}
