import { RPC_CODE, RpcError } from '../../../rpc/error.ts';

/** Milliseconds of work in one turn of the event loop. */
const TURN_SLICE_MS = 1;
/**
 * Turns that are left to priority work after {@link TURN_MS} ms of scheduled work, and their maximum.
 * Priority work takes 2 ms of a turn as well.
 */
const PRIORITY_TURNS = 3;
const MAX_PRIORITY_TURNS = 30;
const TURN_MS = 2;

/** Suspends scheduled work until its next turn. */
export type Rest = () => Promise<void>;

/**
 * Runs the work of many requests one at a time, spread over turns of the event loop.
 * Without it, Node handles all requests of a burst before any other event. Work that rests continues after the work
 * that waits by then.
 */
export class Scheduler {
  readonly #hasPriorityWork: () => boolean;
  readonly #waiting: (() => void)[] = [];
  #isWorking = false;
  /** Start of the first work in this turn. -Infinity: the turn is left to priority work. */
  #turnStart: number | undefined;
  /** Turns that are still left to priority work. */
  #priorityTurns = 0;
  #isClosed = false;

  /** `hasPriorityWork`: whether other work of this thread shall get most of its time now. */
  constructor(hasPriorityWork: () => boolean = () => false) {
    this.#hasPriorityWork = hasPriorityWork;
  }

  /** Runs work in its turn. @throws RpcError after `close`, also from `rest` */
  async run<Result>(work: (rest: Rest) => Result | Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      this.#checkOpen();
      return await work(async () => {
        this.#leave();
        await this.#enter();
        this.#checkOpen();
      });
    } finally {
      this.#leave();
    }
  }

  /** Ends the work that waits or rests. */
  close(): void {
    this.#isClosed = true;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new RpcError(RPC_CODE.server, 'the node is closing');
  }

  #enter(): Promise<void> | undefined {
    if (this.#isWorking || this.#waiting.length > 0 || this.#isTurnOver())
      return new Promise((resolve) => {
        this.#waiting.push(resolve);
      });
    this.#begin();
    return undefined;
  }

  #leave(): void {
    this.#isWorking = false;
    const elapsed = performance.now() - (this.#turnStart ?? Number.POSITIVE_INFINITY);
    if (elapsed > 0)
      this.#priorityTurns = Math.min(MAX_PRIORITY_TURNS, PRIORITY_TURNS * Math.max(1, Math.round(elapsed / TURN_MS)));
    this.#startNext();
  }

  #begin(): void {
    this.#isWorking = true;
    if (this.#turnStart !== undefined) return;
    this.#turnStart = performance.now();
    setImmediate(() => this.#nextTurn());
  }

  #startNext(): void {
    if (this.#isWorking || this.#isTurnOver()) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#begin();
    next();
  }

  #nextTurn(): void {
    this.#turnStart = undefined;
    if (this.#waiting.length === 0) return;
    if (this.#priorityTurns > 0 && this.#hasPriorityWork()) {
      this.#priorityTurns--;
      this.#turnStart = Number.NEGATIVE_INFINITY;
      setImmediate(() => this.#nextTurn());
      return;
    }
    this.#priorityTurns = 0;
    this.#startNext();
  }

  #isTurnOver(): boolean {
    return this.#turnStart !== undefined && performance.now() - this.#turnStart >= TURN_SLICE_MS;
  }
}
