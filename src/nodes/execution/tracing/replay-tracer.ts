import { bytesToHex } from '../../../protocol/hex.ts';
import type { Machine } from '../evm/machine.ts';
import { ParityTracer } from './parity-trace.ts';
import { StateDiffTracer } from './state-diff.ts';
import type { EmittedLog, Frame, FrameEnd, Traced, TraceOutcome, Tracer } from './tracer.ts';

/** What a replay is asked to show. */
export type ReplayPart = 'trace' | 'stateDiff';

/** Output, calls and changes of a transaction, as Parity's replay methods show them. */
export class ReplayTracer implements Tracer {
  readonly #trace: ParityTracer | undefined;
  readonly #stateDiff: StateDiffTracer | undefined;

  constructor(parts: readonly ReplayPart[]) {
    this.#trace = parts.includes('trace') ? new ParityTracer() : undefined;
    this.#stateDiff = parts.includes('stateDiff') ? new StateDiffTracer() : undefined;
  }

  start(machine: Machine, traced: Traced): void {
    this.#trace?.start(machine, traced);
    this.#stateDiff?.start(machine);
  }

  enter(frame: Frame): void {
    this.#trace?.enter(frame);
    this.#stateDiff?.enter(frame);
  }

  leave(end: FrameEnd): void {
    this.#trace?.leave(end);
  }

  log(log: EmittedLog): void {
    this.#trace?.log(log);
  }

  result({ returnValue }: TraceOutcome) {
    return {
      output: bytesToHex(returnValue),
      stateDiff: this.#stateDiff?.result() ?? null,
      trace: this.#trace?.result() ?? [],
      vmTrace: null,
    };
  }
}
