import { isDiskFull, messageOf } from '../../system/failure.ts';
import { remove } from '../../system/files/folder.ts';
import { isTaken } from '../folder/removed-files.ts';
import type { Paths } from '../state/paths.ts';
import { type State, writeState } from '../state/state.ts';

/** Time (ms) in which changes are gathered before the state file is written. */
const GATHER_MS = 100;

/** Writes the state file of a devnet: at once, or soon after a change. */
export class StateFile {
  readonly #paths: Paths;
  readonly #state: () => State;
  readonly #notice: (text: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #warned = false;

  /** `notice` receives the first error of a write. */
  constructor(paths: Paths, state: () => State, notice: (text: string) => void) {
    this.#paths = paths;
    this.#state = state;
    this.#notice = notice;
  }

  write(): void {
    this.close();
    if (isTaken(this.#paths)) return;
    const state = this.#state();
    try {
      writeState(this.#paths.state, state);
    } catch (error) {
      // A full disk must not end the network. The old file stays, and the guard knows every process.
      if (!this.#warned) this.#notice(messageOf(error));
      this.#warned = true;
      if (isDiskFull(error) && (state.phase === 'failed' || state.phase === 'stopped')) this.#writeLast(state);
    }
  }

  writeSoon(): void {
    this.#timer ??= setTimeout(() => this.write(), GATHER_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes the last state of a devnet into its reserved space. */
  #writeLast(state: State): void {
    remove(this.#paths.reserve);
    try {
      writeState(this.#paths.state, state);
    } catch {
      // The previous state stays.
    }
  }
}
