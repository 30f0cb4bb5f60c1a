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

/** SYNCING answers in a row after which the engine has lost blocks. */
const MAX_SYNCING_ANSWERS = 3;

/**
 * Holds the heads and moves them together with the engine (op-node: `EngineController`, kona: `EngineState`).
 * It holds a head only after the engine accepted it. Calls must not overlap. All throw EngineError.
 */
export class EngineController {
  readonly #rollup: Rollup;
  readonly #client: EngineClient;
  readonly #onHeads: (heads: Heads) => void;
  #heads: Heads | undefined;
  #syncingAnswers = 0;
  #isSuspended = false;

  /** `onHeads` is called after each move. */
  constructor(rollup: Rollup, client: EngineClient, onHeads: (heads: Heads) => void) {
    this.#rollup = rollup;
    this.#client = client;
    this.#onHeads = onHeads;
  }

  /** @throws Error before the first `reset` */
  heads(): Heads {
    if (!this.#heads)
      throw new EngineError('temporary', 'the heads are not known yet: the engine or L1 has not answered');
    return this.#heads;
  }

  /** True when heads are known, even during an engine reset. */
  get isKnown(): boolean {
    return this.#heads !== undefined;
  }

  /** True when blocks may be built on the heads. */
  get isReady(): boolean {
    return this.#heads !== undefined && !this.#isSuspended;
  }

  /** Forbids builds until the next `reset`. */
  suspend(): void {
    this.#isSuspended = true;
  }

  /** Sets all heads (op-node: `ForceEngineResetEvent`). */
  async reset(heads: Heads): Promise<void> {
    await this.#move(heads);
    this.#isSuspended = false;
  }

  /** Executes a payload and makes it the unsafe head (op-node: `InsertUnsafePayload`, kona: `InsertTask`). */
  async insert(envelope: ExecutionPayloadEnvelope): Promise<L2BlockRef> {
    const ref = blockRefOf(this.#rollup, envelope.executionPayload);
    await this.execute(envelope);
    await this.#move({ ...this.heads(), unsafe: ref });
    return ref;
  }

  /**
   * Starts a block (op-node: `onBuildStart`, kona: `BuildTask`).
   * Its parent becomes the unsafe head, even if the engine rejects the attributes.
   */
  async startBuild(parent: L2BlockRef, attributes: PayloadAttributes): Promise<Build> {
    const next = { ...this.heads(), unsafe: parent };
    try {
      const id = await this.#patiently(() => this.#client.startBuild(forkchoiceOf(next), attributes));
      this.#rewind(next);
      return { id, parent, attributes };
    } catch (error) {
      // The engine keeps the new forkchoice when it rejects attributes.
      if (isEngineError(error, 'attributes')) this.#rewind(next);
      throw error;
    }
  }

  /** Ends a build and returns its block; the heads stay (op-node: `onBuildSeal`, kona: `SealTask`). */
  seal(build: Build): Promise<ExecutionPayloadEnvelope> {
    return this.#client.getPayload(build.id, build.attributes.timestamp);
  }

  /**
   * Makes a block of the engine's chain pending safe, and safe too if it concludes its batch.
   * The same call makes `finalized` final. Counterpart in op-node: `PromotePendingSafeEvent`, `PromoteSafeEvent`.
   */
  async promoteSafe(ref: L2BlockRef, isConcluding: boolean, finalized = this.heads().finalized): Promise<void> {
    const next = { ...this.heads(), pendingSafe: ref, ...(isConcluding ? { safe: ref, finalized } : {}) };
    if (isConcluding) return this.#move(next);
    this.#set(next);
  }

  /** Moves the pending safe head back to the safe head: the rest of a span batch was dropped. */
  dropPending(): void {
    this.#heads = { ...this.heads(), pendingSafe: this.heads().safe };
  }

  /** Executes a payload; the heads stay (op-node: `onPayloadProcess`). */
  execute(envelope: ExecutionPayloadEnvelope): Promise<void> {
    return this.#patiently(() => this.#client.newPayload(envelope));
  }

  /**
   * Makes an executed block the unsafe head (op-node: `onPayloadSuccess`).
   * With `next`, the same call starts the next build. Returns undefined without it, or when the engine rejected it.
   */
  adoptUnsafe(ref: L2BlockRef, next: PayloadAttributes | undefined): Promise<Build | undefined> {
    return this.#adopt({ ...this.heads(), unsafe: ref }, next);
  }

  /**
   * Makes an executed derived block the unsafe and (pending) safe head in one call.
   * With `next`, the same call starts the next build. Returns undefined without it, or when the engine rejected it.
   */
  adoptSafe(ref: L2BlockRef, isConcluding: boolean, next?: PayloadAttributes): Promise<Build | undefined> {
    const safe = isConcluding ? { safe: ref } : {};
    return this.#adopt({ ...this.heads(), unsafe: ref, pendingSafe: ref, ...safe }, next);
  }

  /** Makes a block final (op-node: `PromoteFinalizedEvent`, kona: `FinalizeTask`). */
  promoteFinalized(ref: L2BlockRef): Promise<void> {
    return this.#move({ ...this.heads(), finalized: ref });
  }

  /** Returns a function that restores the present heads. It does not call the engine, which goes back by itself. */
  remember(): () => void {
    const before = this.heads();
    return () => {
      this.#syncingAnswers = 0;
      this.#isSuspended = false;
      this.#set(before);
    };
  }

  /**
   * Calls the engine. Repeated SYNCING means that it lost blocks, for example in a restart from older files: an engine
   * reset is required.
   */
  async #patiently<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await call();
      this.#syncingAnswers = 0;
      return result;
    } catch (error) {
      if (!isEngineError(error, 'syncing') || ++this.#syncingAnswers < MAX_SYNCING_ANSWERS) throw error;
      this.#syncingAnswers = 0;
      throw new EngineError('forkchoice', `${error.message}: it lost blocks that it had`, error);
    }
  }

  #set(heads: Heads): void {
    this.#heads = heads;
    this.#onHeads(heads);
  }

  /** Moves the heads (op-node: `TryUpdateEngine`, kona: `SynchronizeTask`). */
  async #move(next: Heads): Promise<void> {
    await this.#patiently(() => this.#client.forkchoice(forkchoiceOf(next)));
    this.#set(next);
  }

  /** Records that the engine moved back to the parent of a block under construction. */
  #rewind(next: Heads): void {
    if (next.unsafe.hash !== this.heads().unsafe.hash) this.#set(next);
  }

  /** Moves the heads, and starts a block on the unsafe one in the same call. */
  async #adopt(heads: Heads, next: PayloadAttributes | undefined): Promise<Build | undefined> {
    if (next) {
      try {
        const id = await this.#patiently(() => this.#client.startBuild(forkchoiceOf(heads), next));
        this.#set(heads);
        return { id, parent: heads.unsafe, attributes: next };
      } catch (error) {
        // Invalid attributes of the next block do not affect this block.
        if (!isEngineError(error, 'attributes')) throw error;
      }
    }
    await this.#move(heads);
    return undefined;
  }
}
