import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Resumable } from '../../../protocol/resumable.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import type { Rest } from './scheduler.ts';

/** Milliseconds that a call may run before the event loop runs. */
const CALL_SLICE_MS = 2;
/** Jump destinations between two checks of the clock. */
const CLOCK_CHECK_JUMPS = 256;

/** A call exceeded its time limit. */
export class CallTimeout extends Error {
  override readonly name = 'CallTimeout';
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`execution aborted (timeout = ${limitMs / 1000}s)`);
    this.limitMs = limitMs;
  }
}

/**
 * Limits the time of a request's code and lets the event loop run every few milliseconds.
 * Counterpart in geth: `EVM.Cancel`, which ends a call at its timeout.
 * Every loop of EVM code passes a JUMPDEST and every recursion a message, so both check the clock.
 */
export class ExecutionBudget {
  readonly #limitMs: number;
  readonly #deadline: number;
  readonly #rest: Rest;
  #turn = performance.now();
  #count = 0;

  /** Without `limitMs` the time is unlimited. `rest` waits until the work may continue; default: the next turn. */
  constructor(limitMs = Number.POSITIVE_INFINITY, rest: Rest = nextTurn) {
    this.#limitMs = limitMs;
    this.#rest = rest;
    this.#deadline = this.#turn + limitMs;
  }

  /** Counts one jump destination. @throws CallTimeout, also from the promise */
  step(): Promise<void> | undefined {
    if (++this.#count % CLOCK_CHECK_JUMPS !== 0) return undefined;
    return this.check();
  }

  /**
   * Checks the clock. Returns a promise if the event loop is to run first. @throws CallTimeout, also from the
   * promise
   */
  check(): Promise<void> | undefined {
    const now = performance.now();
    if (now > this.#deadline) throw new CallTimeout(this.#limitMs);
    if (now - this.#turn < CALL_SLICE_MS) return undefined;
    return this.#yield();
  }

  /** Runs resumable work to its end and lets the event loop run between its steps. @throws CallTimeout */
  async complete<Result>(steps: Resumable<Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      const rest = this.check();
      if (rest !== undefined) await rest;
    }
  }

  async #yield(): Promise<void> {
    await this.#rest();
    this.#turn = performance.now();
    if (this.#turn > this.#deadline) throw new CallTimeout(this.#limitMs);
  }
}

/** Runs the work of a request. @throws RpcError in place of CallTimeout */
export async function withCallTimeout<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CallTimeout) throw new RpcError(RPC_CODE.server, error.message);
    throw error;
  }
}
