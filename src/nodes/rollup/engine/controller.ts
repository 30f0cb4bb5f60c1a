import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L2BlockRef, PayloadAttributes } from '../../../protocol/types.ts';
import type { EngineClient } from './client.ts';
import { EngineError, isEngineError } from './error.ts';
import { forkchoiceOf, type Heads } from './forkchoice.ts';

/** A block under construction in the engine. */
export interface Build {
  readonly id: Hex;
  readonly parent: L2BlockRef;
  readonly attributes: PayloadAttributes;
}

/**
 * Holds the heads and moves them together with the engine (op-node: `EngineController`, kona: `EngineState`).
 * It holds a head only after the engine accepted it. Calls must not overlap. All throw EngineError.
 */
export interface EngineController {
  /** @throws Error before the first `reset` */
  heads(): Heads;
  /** True where heads are known, even during an engine reset. */
  readonly isKnown: boolean;
  /** True where blocks may be built on the heads. */
  readonly isReady: boolean;
  /** Forbids builds until the next `reset`. */
  suspend(): void;
  /** Sets all heads (op-node: `ForceEngineResetEvent`). */
  reset(heads: Heads): Promise<void>;
  /** Executes a payload and makes it the unsafe head (op-node: `InsertUnsafePayload`, kona: `InsertTask`). */
  insert(envelope: ExecutionPayloadEnvelope): Promise<L2BlockRef>;
  /**
   * Starts a block (op-node: `onBuildStart`, kona: `BuildTask`).
   * Its parent becomes the unsafe head, even where the engine rejects the attributes.
   */
  startBuild(parent: L2BlockRef, attributes: PayloadAttributes): Promise<Build>;
  /** Ends a build and returns its block; the heads stay (op-node: `onBuildSeal`, kona: `SealTask`). */
  seal(build: Build): Promise<ExecutionPayloadEnvelope>;
  /**
   * Makes a block of the engine's chain pending safe, and safe too where it concludes its batch.
   * The same call makes `finalized` final. Counterpart in op-node: `PromotePendingSafeEvent`, `PromoteSafeEvent`.
   */
  promoteSafe(ref: L2BlockRef, isConcluding: boolean, finalized?: L2BlockRef): Promise<void>;
  /** Moves the pending safe head back to the safe head: the rest of a span batch was dropped. */
  dropPending(): void;
  /** Executes a payload; the heads stay (op-node: `onPayloadProcess`). */
  execute(envelope: ExecutionPayloadEnvelope): Promise<void>;
  /**
   * Makes an executed block the unsafe head (op-node: `onPayloadSuccess`).
   * With `next`, the same call starts the next build. Returns undefined where the engine rejected `next`, or without
   * it.
   */
  adoptUnsafe(ref: L2BlockRef, next: PayloadAttributes | undefined): Promise<Build | undefined>;
  /**
   * Makes an executed derived block the unsafe and (pending) safe head in one call.
   * With `next`, the same call starts the next build. Returns undefined where the engine rejected `next`, or without
   * it.
   */
  adoptSafe(ref: L2BlockRef, isConcluding: boolean, next?: PayloadAttributes): Promise<Build | undefined>;
  /** Makes a block final (op-node: `PromoteFinalizedEvent`, kona: `FinalizeTask`). */
  promoteFinalized(ref: L2BlockRef): Promise<void>;
  /** Returns a function that restores the present heads. It does not call the engine, which goes back by itself. */
  remember(): () => void;
}

/** SYNCING answers in a row after which the engine has lost blocks. */
const MAX_SYNCING_ANSWERS = 3;

/** Creates the controller. `onHeads` is called after each move. */
export function engineController(
  rollup: Rollup,
  client: EngineClient,
  onHeads: (heads: Heads) => void,
): EngineController {
  let current: Heads | undefined;
  let lacking = 0;
  let isSuspended = false;

  function heads(): Heads {
    if (!current) throw new EngineError('temporary', 'the heads are not known yet: the engine or L1 has not answered');
    return current;
  }

  /**
   * Calls the engine. Repeated SYNCING means that it lost blocks, for example in a restart from older files: an engine
   * reset is required.
   */
  async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await call();
      lacking = 0;
      return result;
    } catch (error) {
      if (!isEngineError(error, 'syncing') || ++lacking < MAX_SYNCING_ANSWERS) throw error;
      lacking = 0;
      throw new EngineError('forkchoice', `${error.message}: it lost blocks that it had`, error);
    }
  }

  /** Moves the heads (op-node: `TryUpdateEngine`, kona: `SynchronizeTask`). */
  async function move(next: Heads): Promise<void> {
    await patiently(() => client.forkchoice(forkchoiceOf(next)));
    current = next;
    onHeads(next);
  }

  /** Records that the engine moved back to the parent of a block under construction. */
  function rewound(next: Heads): void {
    if (next.unsafe.hash === heads().unsafe.hash) return;
    current = next;
    onHeads(next);
  }

  /** Moves the heads, and starts a block on the unsafe one in the same call. */
  async function adopt(moved: Heads, next: PayloadAttributes | undefined): Promise<Build | undefined> {
    if (next) {
      try {
        const id = await patiently(() => client.startBuild(forkchoiceOf(moved), next));
        current = moved;
        onHeads(moved);
        return { id, parent: moved.unsafe, attributes: next };
      } catch (error) {
        // Invalid attributes of the next block do not affect this block.
        if (!isEngineError(error, 'attributes')) throw error;
      }
    }
    await move(moved);
    return undefined;
  }

  const execute = (envelope: ExecutionPayloadEnvelope) => patiently(() => client.newPayload(envelope));

  return {
    heads,
    get isKnown() {
      return current !== undefined;
    },
    get isReady() {
      return current !== undefined && !isSuspended;
    },
    suspend() {
      isSuspended = true;
    },
    async reset(next) {
      await move(next);
      isSuspended = false;
    },
    async insert(envelope) {
      const ref = blockRefOf(rollup, envelope.executionPayload);
      await execute(envelope);
      await move({ ...heads(), unsafe: ref });
      return ref;
    },
    async startBuild(parent, attributes) {
      const next = { ...heads(), unsafe: parent };
      try {
        const id = await patiently(() => client.startBuild(forkchoiceOf(next), attributes));
        rewound(next);
        return { id, parent, attributes };
      } catch (error) {
        // The engine keeps the new forkchoice where it rejects attributes.
        if (isEngineError(error, 'attributes')) rewound(next);
        throw error;
      }
    },
    seal: (build) => client.getPayload(build.id, build.attributes.timestamp),
    async promoteSafe(ref, isConcluding, finalized = heads().finalized) {
      const next = { ...heads(), pendingSafe: ref, ...(isConcluding ? { safe: ref, finalized } : {}) };
      if (isConcluding) return move(next);
      current = next;
      onHeads(next);
    },
    dropPending() {
      current = { ...heads(), pendingSafe: heads().safe };
    },
    execute,
    adoptUnsafe: (ref, next) => adopt({ ...heads(), unsafe: ref }, next),
    adoptSafe: (ref, isConcluding, next) =>
      adopt({ ...heads(), unsafe: ref, pendingSafe: ref, ...(isConcluding ? { safe: ref } : {}) }, next),
    remember() {
      const before = heads();
      return () => {
        current = before;
        lacking = 0;
        isSuspended = false;
        onHeads(before);
      };
    },
    promoteFinalized: (ref) => move({ ...heads(), finalized: ref }),
  };
}
