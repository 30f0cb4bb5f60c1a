import { createAltDaInputs } from '../../../protocol/derivation/alt-da/inputs.ts';
import { l1RefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import { createFinality } from '../../../protocol/derivation/pipeline/finality.ts';
import { createPipeline } from '../../../protocol/derivation/pipeline/pipeline.ts';
import type { DaStorage, DerivationLog, Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L1Header } from '../../../protocol/types.ts';
import { decompressors } from '../../../system/files/decompress.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import { clSync } from '../clsync/clsync.ts';
import type { EngineClient } from '../engine/client.ts';
import { engineController } from '../engine/controller.ts';
import type { L1Label } from '../l1/client.ts';
import { confDepth } from '../l1/conf-depth.ts';
import type { L1Connection } from '../l1/connect.ts';
import { l1Tracker } from '../l1/l1-tracker.ts';
import { type EventLoop, startEventLoop } from '../loop/loop.ts';
import type { Metricer } from '../metrics/metricer.ts';
import { Sequencer } from '../sequencer/sequencer.ts';
import type { AdminState } from './admin-state.ts';
import { elSync } from './el-sync.ts';
import { engineResetDeriver } from './engine-reset.ts';
import type { DriverEvent } from './events.ts';
import { finalizer } from './finalizer.ts';
import { lookaheadChain } from './lookahead.ts';
import { pipelineDeriver } from './pipeline-deriver.ts';
import type { SafeDb } from './safedb.ts';

/** Settings of the driver, and the parts that it works with (op-node: `driver.Config`). */
export interface DriverOptions {
  readonly rollup: Rollup;
  readonly l1: L1Connection;
  readonly client: EngineClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly verifierConfirmations: number;
  /** Execution-layer sync comes first. `afterFinality`: also on an engine with finalized blocks. */
  readonly engineSync: { readonly afterFinality: boolean } | undefined;
  readonly safedb: SafeDb | undefined;
  readonly adminState: AdminState;
  /** Present on rollups with alternative DA. */
  readonly daStorage: DaStorage | undefined;
  /** undefined: this node is a verifier. */
  readonly sequencer:
    | {
        readonly confirmations: number;
        readonly maxSafeLag: number;
        readonly isRecovering: boolean;
        readonly isStopped: boolean;
        readonly commit: ((envelope: ExecutionPayloadEnvelope) => Promise<void>) | undefined;
        readonly publish: (envelope: ExecutionPayloadEnvelope) => void;
      }
    | undefined;
  readonly meter: Metricer;
  /** Receives every event of the driver. */
  readonly onEvent: (event: DriverEvent) => void;
  /** Requests a block from peers. */
  readonly request: (number: number, hash: Hex) => Promise<ExecutionPayloadEnvelope | null>;
}

/** L1 heads kept by number. */
const L1_BLOCKS = 256;

/** The driver of the chain (op-node: `Driver`). */
export type Driver = ReturnType<typeof createDriver>;

/** Wires the derivers and starts their event loop (op-node: `NewDriver`). */
export function createDriver(options: DriverOptions) {
  const { rollup, l1, client, clock, log, signal } = options;
  let loop: EventLoop | undefined;
  const wake = () => loop?.wake();
  const heads = l1Tracker(L1_BLOCKS);
  const finality = createFinality();
  const engine = engineController(rollup, client, (heads) => {
    options.onEvent({ kind: 'heads', heads });
    wake();
  });
  const view = (confirmations: number, ahead?: number) => confDepth(l1.client, heads, l1.blobs, confirmations, ahead);

  const tell: DerivationLog = (level, message, data) => log[level](message, data);
  const derivable = view(options.verifierConfirmations, l1.ahead);
  const { alt_da: daConfig } = rollup.config;
  const altDa =
    daConfig && options.daStorage && createAltDaInputs(rollup, daConfig, derivable, options.daStorage, tell);
  const chain = lookaheadChain(client);
  const pipeline = createPipeline(rollup, {
    l1: derivable,
    l2: chain,
    decompress: decompressors,
    log: tell,
    onRead: options.meter.recordDerived,
    ...(altDa && { altDa }),
  });
  const derivation = pipelineDeriver({
    rollup,
    pipeline,
    engine,
    client,
    chain,
    log,
    wake,
    clock,
    onFailure: (isReorg) => options.meter.recordFailure('derivation', isReorg),
    requestReset: (reason) => start.request(reason),
    onSafe(derivedFrom, head) {
      finality.safeHead(derivedFrom, head);
      options.safedb?.note(derivedFrom, head);
    },
    takeFinal: () => finalizing.takeFinal(),
    onExhausted(origin, head) {
      finality.safeHead(origin, head);
      finalizing.tryFinalize();
      options.onEvent({ kind: 'exhausted', origin: l1RefOf(origin), head });
    },
  });
  const finalizing = finalizer({ finality, engine, heads, altDa, log, wake });
  const unsafe = clSync({
    rollup,
    engine,
    client,
    clock,
    log,
    wake,
    request: options.request,
    requestReset: (reason) => start.request(reason),
  });
  const sequencer =
    options.sequencer &&
    new Sequencer({
      rollup,
      l1: view(options.sequencer.confirmations),
      l2: client,
      engine,
      clock,
      log,
      wake,
      commit: options.sequencer.commit,
      publish: options.sequencer.publish,
      meter: options.meter,
      requestReset: (reason) => start.request(reason),
      maxSafeLag: options.sequencer.maxSafeLag,
      isRecovering: options.sequencer.isRecovering,
      isActive: options.adminState.sequencerStarted ?? !options.sequencer.isStopped,
    });
  const sync = options.engineSync && elSync({ rollup, client, log, ...options.engineSync });
  const start = engineResetDeriver({
    rollup,
    l1: view(0),
    client,
    engine,
    clock,
    log,
    wake,
    isL1Known: () => heads.latest !== undefined,
    l1ChainId: () => l1.client.chainId(),
    finalizedBy: () => finalizing.finalizedBy(),
    engineSync: sync,
    onReset(reason) {
      derivation.suspend();
      options.onEvent({ kind: 'reset', reason });
    },
    async onHeads({ safe }) {
      options.meter.recordPipelineReset();
      finality.reset();
      options.safedb?.truncate(safe.number);
      sequencer?.reset();
      unsafe.reset();
      await derivation.reset(safe);
    },
  });
  clock.report(() => ({
    l1: heads.latest?.hash ?? null,
    derived: derivation.isExhausted,
    unsafe: engine.isReady ? engine.heads().unsafe.hash : null,
    number: engine.isReady ? engine.heads().unsafe.number : null,
  }));
  loop = startEventLoop([start, ...(sequencer ? [sequencer] : []), unsafe, derivation, finalizing], clock, log, signal);

  return {
    engine,
    heads,
    sequencer,
    loop,
    derivation,
    unsafe,
    start,
    /** Returns the target of the execution-layer sync. */
    syncTarget: () => sync?.target(),
    /** Accepts an unsafe payload whose signature was checked (op-node: `OnUnsafeL2Payload`). */
    onUnsafe(envelope: ExecutionPayloadEnvelope) {
      sync?.addTarget(envelope);
      unsafe.add(envelope);
    },
    /**
     * Returns a function that restores the present state. Both run between two steps of the loop.
     * @throws Error while the heads are not known
     */
    async remember(): Promise<() => Promise<void>> {
      if (!engine.isReady) throw new Error('it looks for the heads of its engine');
      const { safe } = engine.heads();
      const derives = await derivation.remember(safe);
      const parts = [heads, finalizing, ...(sequencer ? [sequencer] : []), engine].map((part) => part.remember());
      return async () => {
        start.cancel();
        unsafe.clear();
        await derives();
        for (const restore of parts) restore();
        options.safedb?.truncate(safe.number);
      };
    },
    /** Accepts a new L1 head, safe or finalized block (op-node: `OnL1Head`, `OnL1Safe`, `OnL1Finalized`). */
    onL1Block(label: L1Label, header: L1Header) {
      const change = heads.note(label, header);
      if (change === 'reorg') log.warn('L1 was reorganised', { number: header.number, hash: header.hash });
      if (label === 'latest') options.meter.recordL1Head(header);
      if (label === 'latest') derivation.onL1Head();
      // A running derivation finalizes with its next safe head, or at its end.
      else if (label === 'finalized' && derivation.isExhausted) finalizing.tryFinalize();
      options.onEvent({ kind: 'l1', label });
      wake();
    },
  };
}
