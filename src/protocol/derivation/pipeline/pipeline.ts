import { ProtocolError } from '../../errors.ts';
import type { L1BlockRef, L2BlockRef } from '../../types.ts';
import { createAltDaStage } from '../alt-da/stage.ts';
import { l1RefOf } from '../attributes/block-ref.ts';
import { DerivationError } from '../error.ts';
import type { ActionableOutcome, AttributesWithParent, InvalidPayloadOutcome, StepOutcome } from '../outcome.ts';
import type { Ports, Rollup } from '../ports.ts';
import { createAttributesQueue, hasOnlyDeposits } from '../stages/attributes-queue.ts';
import { createBatchProvider } from '../stages/batch-provider.ts';
import { createChannelProvider } from '../stages/channel-provider.ts';
import { createChannelReader, type ReadBatch } from '../stages/channel-reader.ts';
import { createFrameQueue } from '../stages/frame-queue.ts';
import { createL1Retrieval } from '../stages/l1-retrieval.ts';
import { createL1Traversal } from '../stages/l1-traversal.ts';
import type { Pulled } from '../stages/stage.ts';
import { findPipelineStart, type PipelineStart } from './pipeline-start.ts';

export type { ActionableOutcome, AttributesWithParent, InvalidPayloadOutcome, StepOutcome } from '../outcome.ts';

/**
 * The derivation pipeline: L1 blocks in, payload attributes out (op-node, kona: `DerivationPipeline`).
 * It serves one caller at a time. Specification: L2 Chain Derivation Pipeline.
 */
export interface Pipeline {
  /**
   * Restarts the pipeline for the child of `safeHead`, one channel timeout behind its L1 origin. Rejects if a port
   * does.
   * @throws DerivationError (reset) if L1 lacks the safe head's L1 origin: run `findSyncStart` first
   */
  reset(safeHead: L2BlockRef): Promise<void>;
  /** Returns where derivation starts for the child of a safe head. @throws as `reset` does */
  startOf(safeHead: L2BlockRef): Promise<PipelineStart>;
  /** Starts over from a result of `startOf`, on the same chains. */
  resetTo(start: PipelineStart): void;
  /**
   * Makes one step (op-node: `Step`). `safeHead`: the (pending) safe head that the next attributes shall build upon.
   */
  step(safeHead: L2BlockRef): Promise<StepOutcome>;
  /** Steps until the caller has to act. */
  next(safeHead: L2BlockRef): Promise<ActionableOutcome>;
  /** Returns the L1 block of L1 traversal (`current_l1` of the sync status). @throws Error before the first `reset` */
  origin(): L1BlockRef;
  /** Reports that the engine called the payload of these attributes INVALID (specification: holocene, Engine Queue). */
  payloadInvalid(derived: AttributesWithParent): InvalidPayloadOutcome;
}

/** Creates a pipeline over these ports; `reset` it before the first step (op-node: `NewDerivationPipeline`). */
export function createPipeline(rollup: Rollup, ports: Ports): Pipeline {
  const traversal = createL1Traversal(rollup, ports.l1, ports.log);
  const retrieval = createL1Retrieval(rollup, ports, traversal);
  const data = ports.altDa ? createAltDaStage(ports.altDa, retrieval, ports.log) : retrieval;
  const { onRead } = ports;
  const frameQueue = createFrameQueue(rollup, data, ports.log);
  const frames = watched(frameQueue, 'nextFrame', onRead && (() => onRead({ kind: 'frame' })));
  const provider = createChannelProvider(rollup, frames, ports.log);
  const channels = watched(
    provider,
    'nextChannel',
    onRead && ((channel: Uint8Array) => onRead({ kind: 'channel', bytes: channel.length })),
  );
  const channelReader = createChannelReader(rollup, ports, channels);
  const reader = watched(channelReader, 'nextBatch', onRead && (({ kind }: ReadBatch) => onRead({ kind })));
  const batches = createBatchProvider(rollup, ports, reader);
  const attributes = createAttributesQueue(rollup, ports, batches);

  const resetTo = ({ origin, systemConfig }: PipelineStart): void => {
    traversal.reset(origin, systemConfig);
    ports.altDa?.reset(origin);
    for (const stage of [retrieval, data, frames, channels, reader, attributes]) stage.reset();
    batches.reset(origin);
  };

  const pull = async (safeHead: L2BlockRef): Promise<StepOutcome> => {
    const derived = await attributes.nextAttributes(safeHead);
    if (derived === 'more') return { kind: 'more' };
    if (derived !== 'eof') return { kind: 'attributes', attributes: derived };
    const origin = await traversal.advance();
    return origin === 'eof' ? { kind: 'eof' } : { kind: 'advanced-origin', origin: l1RefOf(origin) };
  };
  const step = (safeHead: L2BlockRef): Promise<StepOutcome> => pull(safeHead).catch(outcomeOf);

  return {
    async reset(safeHead) {
      resetTo(await findPipelineStart(rollup, ports, safeHead));
    },
    startOf: (safeHead) => findPipelineStart(rollup, ports, safeHead),
    resetTo,
    step,
    async next(safeHead) {
      for (;;) {
        const outcome = await step(safeHead);
        if (outcome.kind !== 'more' && outcome.kind !== 'advanced-origin') return outcome;
      }
    },
    origin: () => l1RefOf(traversal.origin()),
    payloadInvalid(derived) {
      const { parent, derivedFrom } = derived;
      if (hasOnlyDeposits(derived.attributes)) {
        const message =
          `the engine calls the block upon L2 block ${parent.number} (${parent.hash}) invalid, ` +
          'although it has only deposits';
        return { kind: 'fatal', error: new DerivationError('fatal', message) };
      }
      if (!rollup.rulesAt(derivedFrom.timestamp).attributes.depositsOnlyOnInvalid) return { kind: 'dropped' };
      return { kind: 'deposits-only', attributes: attributes.depositsOnly(derived) };
    },
  };
}

/** Classifies an error. An unclassified one comes from a port: the step is retried. */
function outcomeOf(error: unknown): StepOutcome {
  if (error instanceof DerivationError) return { kind: error.handling, error };
  if (error instanceof ProtocolError && error.handling !== 'drop') return { kind: error.handling, error };
  return { kind: 'retry', error: error instanceof Error ? error : new Error(String(error)) };
}

/** Wraps a stage so that a listener receives each pulled item. Without a listener it returns the stage itself. */
function watched<
  Item extends object,
  Name extends string,
  Stage extends Readonly<Record<Name, () => Promise<Pulled<Item>>>>,
>(stage: Stage, name: Name, onItem: ((item: Item) => void) | undefined): Stage {
  if (!onItem) return stage;
  const pull = async (): Promise<Pulled<Item>> => {
    const item = await stage[name]();
    if (item !== 'more' && item !== 'eof') onItem(item);
    return item;
  };
  return { ...stage, [name]: pull };
}
