import { messageAndHint } from '../failure.ts';
import { createMutex } from '../time/mutex.ts';
import type { Connection } from './connection.ts';
import { type CheckpointOrder, type CheckpointRequest, stepOf } from './messages.ts';

/** The checkpoint service of a program's channel. */
export interface CheckpointService {
  /**
   * Takes a checkpoint of the whole network, or restores one. Resolves with the number of the checkpoint. After a
   * restore it is 1, or 0 if no checkpoint has the number. Rejects if the supervisor refuses. Absent: there is none.
   */
  readonly checkpoint?: (order: CheckpointOrder) => Promise<number>;
  /** Sets the checkpoints of this program. The supervisor has all programs take and restore them. */
  onCheckpoints(checkpoints: Checkpoints): void;
}

/**
 * States of a program, in memory, that it restores without a restart. Each has a number. A step rejects if it fails.
 * The supervisor asks all programs for a step before it asks any for the next one.
 */
export interface Checkpoints {
  /** Takes a checkpoint of the present state. The clock stands, and every program is done with its time. */
  take(checkpoint: number): Promise<void>;
  /** Ends all work, so that nothing of the present state reaches another program later. */
  suspend(checkpoint: number): Promise<void>;
  /** Puts the state of the checkpoint in place. The program stays suspended. Later checkpoints are dropped. */
  restore(checkpoint: number): Promise<void>;
  /** Goes on with the state in place. Without effect on a program that is not suspended. */
  resume(checkpoint: number): Promise<void>;
  /** Drops the checkpoint. */
  drop(checkpoint: number): Promise<void>;
}

/** The parts of a program that make its checkpoints. */
export interface CheckpointParts<State> {
  take(): State | Promise<State>;
  /** Ends all work. Called once before `resume`. */
  suspend(): void | Promise<void>;
  restore(state: State): void | Promise<void>;
  resume(): void | Promise<void>;
}

/** Creates the checkpoints of a program, which hold their states in memory. */
export function createCheckpoints<State>(parts: CheckpointParts<State>): Checkpoints {
  /** In the order in which they were taken. */
  const states = new Map<number, State>();
  let isSuspended = false;
  /** Steps run one after the other: a program may still suspend its work when a request to resume arrives. */
  const runExclusive = createMutex();
  const exclusive = (step: (checkpoint: number) => Promise<void>) => (checkpoint: number) =>
    runExclusive(() => step(checkpoint));

  function stateOf(checkpoint: number): State {
    for (const [each, state] of states) if (each === checkpoint) return state;
    throw new Error(`it does not know checkpoint ${checkpoint}: it was started, or restored an earlier one, after it`);
  }

  async function resume(): Promise<void> {
    if (!isSuspended) return;
    isSuspended = false;
    await parts.resume();
  }

  return {
    take: exclusive(async (checkpoint) => {
      const state = await parts.take();
      states.delete(checkpoint);
      states.set(checkpoint, state);
    }),
    suspend: exclusive(async (checkpoint) => {
      stateOf(checkpoint);
      if (isSuspended) throw new Error('it is suspended already');
      isSuspended = true;
      await parts.suspend();
    }),
    restore: exclusive(async (checkpoint) => {
      const state = stateOf(checkpoint);
      if (!isSuspended) throw new Error('it is not suspended');
      const order = [...states.keys()];
      for (const later of order.slice(order.indexOf(checkpoint) + 1)) states.delete(later);
      await parts.restore(state);
    }),
    resume: exclusive(resume),
    drop: exclusive(async (checkpoint) => void states.delete(checkpoint)),
  };
}

/** The checkpoint service: takes and restores the checkpoints of this program when the supervisor asks for it. */
export class SupervisedCheckpoints {
  readonly #connection: Connection;
  #checkpoints: Checkpoints | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  onCheckpoints(checkpoints: Checkpoints): void {
    this.#checkpoints = checkpoints;
  }

  /** Takes a step for a checkpoint, and says when that is done. */
  async receive(request: CheckpointRequest): Promise<void> {
    const stepped = request.step;
    this.#connection.send(
      await this.#step(request).then(
        () => ({ stepped }),
        (error: unknown) => ({ stepped, error: messageAndHint(error) }),
      ),
    );
  }

  /** Lets a suspended program go on: its supervisor has ended. */
  lose(): void {
    void this.#checkpoints?.resume(0).catch(() => {});
  }

  async #step(request: CheckpointRequest): Promise<void> {
    if (this.#checkpoints === undefined) throw new Error('it keeps no checkpoints');
    await this.#checkpoints[stepOf(request)](request.to);
  }
}
