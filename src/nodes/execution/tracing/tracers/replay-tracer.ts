import type { Frame } from '../../../../evm/machine/inspector.ts';
import type { EvmLog } from '../../../../evm/machine/state.ts';
import type { Step } from '../../../../evm/machine/step.ts';
import { bytesToHex } from '../../../../protocol/hex.ts';
import type { BlockEvm } from '../../evm/evm-factory.ts';
import type { TraceBehaviour } from '../behaviour.ts';
import type { ResponseSizeLimit } from '../response-size-limit.ts';
import type { TraceType } from '../trace-types.ts';
import type { FrameEnd, Traced, TraceOutcome, Tracer } from '../tracer.ts';
import { ParityTracer } from './parity-trace.ts';
import { StateDiffTracer } from './state-diff.ts';
import { VmTracer } from './vm-tracer.ts';

/**
 * Combines output, calls, state diff and instructions, as Parity's replay methods
 * (revm-inspectors: `into_trace_results`).
 */
export class ReplayTracer implements Tracer {
  readonly #trace: ParityTracer | undefined;
  readonly #stateDiff: StateDiffTracer | undefined;
  readonly #vmTrace: VmTracer | undefined;

  constructor(parts: readonly TraceType[], behaviour: TraceBehaviour, sizeLimit: ResponseSizeLimit) {
    this.#vmTrace = parts.includes('vmTrace') ? new VmTracer(sizeLimit) : undefined;
    this.#trace = parts.includes('trace') ? new ParityTracer(behaviour, sizeLimit) : undefined;
    this.#stateDiff = parts.includes('stateDiff') ? new StateDiffTracer() : undefined;
  }

  start(vm: BlockEvm, traced: Traced): void {
    this.#trace?.start(vm, traced);
    this.#stateDiff?.start(vm);
    this.#vmTrace?.start(vm, traced);
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

  log(log: EvmLog): void {
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
