import { encodeBatcherTransaction, type Frame } from '../../../../src/protocol/codec/frame.ts';
import { prepareSequencerAttributes } from '../../../../src/protocol/derivation/attributes/attributes.ts';
import { selectL1Origin } from '../../../../src/protocol/derivation/attributes/l1-origin.ts';
import { type ChannelOutOptions, createChannelOut } from '../../../../src/protocol/derivation/encode/channel-out.ts';
import { createPipeline, type StepOutcome } from '../../../../src/protocol/derivation/pipeline/pipeline.ts';
import type { Ports, Rollup } from '../../../../src/protocol/derivation/ports.ts';
import type { ExecutionPayload, Hex, L2BlockRef } from '../../../../src/protocol/types.ts';
import { compress, decompress } from './compression.ts';
import { type ScriptedEngine, scriptedEngine } from './engine.ts';
import { calldataTransaction, type L1Contents, type ScriptedL1, scriptedL1 } from './l1.ts';

/** An L1, and a sequencer that builds on it. */
export interface Network {
  readonly rollup: Rollup;
  readonly l1: ScriptedL1;
  readonly sequencer: ScriptedEngine;
  /** One L2 block upon the sequencer's head with these transactions, unless the pool is closed. */
  build(transactions?: readonly Hex[]): Promise<L2BlockRef>;
  /** Mines an L1 block and builds L2 blocks up to its time, each with a transaction of `transactionsOf` its number. */
  advance(
    contents?: L1Contents,
    transactionsOf?: (number: number) => readonly Hex[],
  ): Promise<readonly ExecutionPayload[]>;
}

/** A network at genesis. */
export function createNetwork(rollup: Rollup): Network {
  const l1 = scriptedL1();
  const sequencer = scriptedEngine(rollup);

  const network: Network = {
    rollup,
    l1,
    sequencer,
    async build(transactions = []) {
      const head = sequencer.head();
      const current = (await l1.headerByHash(head.l1origin.hash))!;
      const origin = selectL1Origin(rollup, head, current, await l1.headerByNumber(current.number + 1));
      if (origin === null) throw new Error('the sequencer waits for L1');
      const attributes = await prepareSequencerAttributes(rollup, l1, sequencer, head, origin);
      const extra = attributes.noTxPool ? [] : transactions;
      return sequencer.build(head.hash, { ...attributes, transactions: [...attributes.transactions, ...extra] })!;
    },
    async advance(contents, transactionsOf = () => []) {
      const before = sequencer.chain().length;
      const head = l1.mine(contents);
      while (sequencer.head().timestamp + rollup.config.block_time <= head.timestamp) {
        await network.build(transactionsOf(sequencer.head().number + 1));
      }
      return sequencer.chain().slice(before);
    },
  };
  return network;
}

export interface BatchOptions extends Partial<Omit<ChannelOutOptions, 'id'>> {
  readonly id?: number;
  readonly maxFrameSize?: number;
}

/** The frames of one channel with these blocks. */
export function framesOf(rollup: Rollup, blocks: readonly ExecutionPayload[], options: BatchOptions = {}): Frame[] {
  const { id = 1, maxFrameSize = 100_000, ...rest } = options;
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setUint32(12, id);
  const channel = createChannelOut(rollup, {
    id: bytes,
    batchType: 'singular',
    compression: 'zlib',
    compress,
    targetSize: 10_000_000,
    ...rest,
  });
  for (const block of blocks) if (!channel.addBlock(block)) throw new Error(`block ${block.blockNumber} does not fit`);
  channel.close();
  return [...channel.frames(maxFrameSize)];
}

/** Calldata transactions of the batcher, one for each frame. */
export const inCalldata = (frames: readonly Frame[]) =>
  frames.map((frame) => calldataTransaction(encodeBatcherTransaction([frame])));

/** What a verifier came to. */
export interface Derived {
  readonly engine: ScriptedEngine;
  readonly safe: L2BlockRef;
  readonly outcome: StepOutcome;
  readonly steps: number;
}

/**
 * Derives with an engine (a fresh one by default) until L1 is exhausted or a step fails.
 * More than 100,000 steps count as a stall.
 */
export async function derive(
  { rollup, l1 }: Pick<Network, 'rollup' | 'l1'>,
  engine: ScriptedEngine = scriptedEngine(rollup),
  more: Pick<Ports, 'log' | 'altDa'> = {},
): Promise<Derived> {
  const pipeline = createPipeline(rollup, { l1, l2: engine, decompress, ...more });
  let safe = engine.head();
  let pending = safe;
  await pipeline.reset(safe);
  for (let steps = 1; steps < 100_000; steps++) {
    const outcome = await pipeline.step(pending);
    if (outcome.kind === 'more' || outcome.kind === 'advanced-origin') continue;
    if (outcome.kind !== 'attributes') return { engine, safe, outcome, steps };
    let derived = outcome.attributes;
    let block = engine.build(derived.parent.hash, derived.attributes);
    if (block === null) {
      const instead = pipeline.payloadInvalid(derived);
      if (instead.kind === 'fatal') return { engine, safe, outcome: instead, steps };
      if (instead.kind === 'dropped') {
        pending = safe;
        continue;
      }
      derived = instead.attributes;
      block = engine.build(derived.parent.hash, derived.attributes)!;
    }
    pending = block;
    if (derived.concluding) safe = block;
  }
  throw new Error('the pipeline does not come to an end');
}

/** A verifier that can be reset: `run` derives until L1 has no more, or something is wrong, and says which. */
export function verifierOf({ rollup, l1 }: Pick<Network, 'rollup' | 'l1'>) {
  const engine = scriptedEngine(rollup);
  const pipeline = createPipeline(rollup, { l1, l2: engine, decompress });
  const run = async () => {
    for (;;) {
      const outcome = await pipeline.next(engine.head());
      if (outcome.kind !== 'attributes') return outcome.kind;
      engine.build(outcome.attributes.parent.hash, outcome.attributes.attributes);
    }
  };
  return { engine, pipeline, genesis: engine.head(), run };
}
