import { messageAndHint } from '../failure.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Connection } from './connection.ts';
import { type CheckpointRequest, stepOf } from './messages.ts';

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
