import { bytesToHex } from '../../../protocol/hex.ts';
import type { Machine } from '../evm/machine.ts';
import { ParityTracer } from './parity-trace.ts';
import type { ReplayPart } from './replay-parts.ts';
import type { Room } from './room.ts';
import { StateDiffTracer } from './state-diff.ts';
import type { EmittedLog, Frame, FrameEnd, Step, Traced, TraceOutcome, Tracer } from './tracer.ts';
import { VmTracer } from './vm-tracer.ts';

/** Output, calls, changes and instructions of a transaction, as Parity's replay methods show them. */
export class ReplayTracer implements Tracer {
  readonly #trace: ParityTracer | undefined;
  readonly #stateDiff: StateDiffTracer | undefined;
  readonly #vmTrace: VmTracer | undefined;

  constructor(parts: readonly ReplayPart[], room: Room) {
    this.#vmTrace = parts.includes('vmTrace') ? new VmTracer(room) : undefined;
    this.#trace = parts.includes('trace') ? new ParityTracer(room) : undefined;
    this.#stateDiff = parts.includes('stateDiff') ? new StateDiffTracer() : undefined;
  }

  start(machine: Machine, traced: Traced): void {
    this.#trace?.start(machine, traced);
    this.#stateDiff?.start(machine);
    this.#vmTrace?.start(machine, traced);
  }

  enter(frame: Frame): void {
    this.#trace?.enter(frame);
    this.#stateDiff?.enter(frame);
    this.#vmTrace?.enter(frame);
  }

  leave(end: FrameEnd): void {
    this.#trace?.leave(end);
    this.#vmTrace?.leave();
  }

  step(step: Step): void {
    this.#vmTrace?.step(step);
  }

  log(log: EmittedLog): void {
    this.#trace?.log(log);
  }

  result(outcome: TraceOutcome) {
    return {
      output: bytesToHex(outcome.returnValue),
      stateDiff: this.#stateDiff?.result() ?? null,
      trace: this.#trace?.result(outcome) ?? [],
      vmTrace: this.#vmTrace?.result(outcome) ?? null,
    };
  }
}
