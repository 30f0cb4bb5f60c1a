import type { ClockPush } from '../../system/channel/messages.ts';
import type { ClockState } from '../../system/time/clock-state.ts';
import { stillStarting } from '../control/refusals.ts';
import type { Connections } from './connections.ts';

export interface PushOptions {
  /** Whether the processes report when they are idle. */
  readonly watched: boolean;
  /** Repeats the number of the last step. */
  readonly isSameStep?: boolean;
  readonly to?: (task: string) => boolean;
}

/** The clock service of a network's channel: announces each state of the clock to the processes. */
export class ClockService {
  readonly #connections: Connections;
  #current: ClockPush;
  #move: (to: number) => Promise<number> = async () => {
    throw stillStarting();
  };

  constructor(connections: Connections, initial: ClockState) {
    this.#connections = connections;
    this.#current = { ...initial, step: 1, watched: false };
  }

  /** The newest state. */
  state(): ClockState {
    const { at, wall, rate } = this.#current;
    return { at, wall, rate };
  }

  /** Announces a state to the connected processes that `to` accepts. Returns the number of the step. */
  push({ at, wall, rate }: ClockState, { watched, isSameStep = false, to = () => true }: PushOptions): number {
    this.#current = { at, wall, rate, step: this.#current.step + (isSameStep ? 0 : 1), watched };
    for (const task of this.#connections.tasks()) if (to(task)) this.announceTo(task);
    return this.#current.step;
  }

  /** Announces the newest state to a task. */
  announceTo(task: string): void {
    this.#connections.send(task, this.#current);
  }

  /** Sets what moves the clock when a process orders it. Rejects with the reason if it is refused. */
  serveMoves(move: (to: number) => Promise<number>): void {
    this.#move = move;
  }

  /** Moves the clock to a time (ms). Resolves with its time then. */
  move(to: number): Promise<number> {
    return this.#move(to);
  }
}
