import { blockRefOf } from '../../../protocol/derivation/block-ref.ts';
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
 * Holds the heads and moves them together with the engine: a head stands here only after the engine took it. Calls must not overlap (the driver makes
 * one at a time). All throw EngineError.
 */
export interface EngineController {
  /** @throws Error before the first `reset` */
  heads(): Heads;
  /** Whether heads are known, be they about to be found anew. */
  readonly isKnown: boolean;
  /** Whether the heads may be built upon. */
  readonly isReady: boolean;
  /** Nothing may be built until the next `reset`. */
  suspend(): void;
  /** Puts the heads somewhere else. */
  reset(heads: Heads): Promise<void>;
  /** Executes a payload and makes it the unsafe head. */
  insert(envelope: ExecutionPayloadEnvelope): Promise<L2BlockRef>;
  /** Starts a block; its parent is the unsafe head from then on, also where the engine refuses the attributes. */
  startBuild(parent: L2BlockRef, attributes: PayloadAttributes): Promise<Build>;
  /** Ends a build and returns its block; the heads stay. */
  seal(build: Build): Promise<ExecutionPayloadEnvelope>;
  /** A derived block: pending safe, and safe with all before it where its batch is whole. `ref` must be on the engine's chain. */
  promoteSafe(ref: L2BlockRef, isConcluding: boolean): Promise<void>;
  /** Goes back from the pending safe to the safe head: the rest of a span batch was dropped. */
  dropPending(): void;
  /** Executes a payload; the heads stay. */
  execute(envelope: ExecutionPayloadEnvelope): Promise<void>;
  /**
   * Makes a derived block that was executed the unsafe and (pending) safe head at once. With the attributes of the next one, its build is begun by the
   * same call; undefined where the engine refused them, or none were given.
   */
  adoptSafe(ref: L2BlockRef, isConcluding: boolean, next?: PayloadAttributes): Promise<Build | undefined>;
  promoteFinalized(ref: L2BlockRef): Promise<void>;
}

/** Times that an engine may lack blocks in a row. */
const PATIENCE = 3;

/** `onHeads` is called after each move. */
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

  /** An engine that keeps syncing lost blocks (it was restarted from older files, say): then the heads must be found anew. */
  async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await call();
      lacking = 0;
      return result;
    } catch (error) {
      if (!isEngineError(error, 'syncing') || ++lacking < PATIENCE) throw error;
      lacking = 0;
      throw new EngineError('forkchoice', `${error.message}: it lost blocks that it had`, error);
    }
  }

  async function move(next: Heads): Promise<void> {
    await patiently(() => client.forkchoice(forkchoiceOf(next)));
    current = next;
    onHeads(next);
  }

  /** The engine went back to the parent of a block that it builds. */
  function rewound(next: Heads): void {
    if (next.unsafe.hash === heads().unsafe.hash) return;
    current = next;
    onHeads(next);
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
        // The engine does not roll the forkchoice back where it refuses attributes.
        if (isEngineError(error, 'attributes')) rewound(next);
        throw error;
      }
    },
    seal: (build) => client.getPayload(build.id, build.attributes.timestamp),
    async promoteSafe(ref, isConcluding) {
      const next = { ...heads(), pendingSafe: ref, ...(isConcluding ? { safe: ref } : {}) };
      if (isConcluding) return move(next);
      current = next;
      onHeads(next);
    },
    dropPending() {
      current = { ...heads(), pendingSafe: heads().safe };
    },
    execute,
    async adoptSafe(ref, isConcluding, next) {
      const moved = { ...heads(), unsafe: ref, pendingSafe: ref, ...(isConcluding ? { safe: ref } : {}) };
      if (next) {
        try {
          const id = await patiently(() => client.startBuild(forkchoiceOf(moved), next));
          current = moved;
          onHeads(moved);
          return { id, parent: ref, attributes: next };
        } catch (error) {
          // The block must not suffer for what is wrong with the next one's attributes.
          if (!isEngineError(error, 'attributes')) throw error;
        }
      }
      await move(moved);
      return undefined;
    },
    promoteFinalized: (ref) => move({ ...heads(), finalized: ref }),
  };
}
