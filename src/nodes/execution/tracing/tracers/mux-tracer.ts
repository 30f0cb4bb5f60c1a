import type { Frame } from '../../../../evm/machine/inspector.ts';
import type { EvmLog } from '../../../../evm/machine/state.ts';
import type { Step } from '../../../../evm/machine/step.ts';
import type { BlockEvm } from '../../evm/evm-factory.ts';
import type { FrameEnd, Traced, TraceOutcome, Tracer } from '../tracer.ts';

/** `muxTracer`: runs several tracers at once (geth: `muxTracer`, revm-inspectors: `MuxInspector`). */
export class MuxTracer implements Tracer {
  readonly #tracers: ReadonlyMap<string, Tracer>;

  constructor(tracers: ReadonlyMap<string, Tracer>) {
    this.#tracers = tracers;
  }

  start(vm: BlockEvm, traced: Traced): void {
    for (const tracer of this.#tracers.values()) tracer.start?.(vm, traced);
  }

  enter(frame: Frame): void {
    for (const tracer of this.#tracers.values()) tracer.enter?.(frame);
  }

  leave(end: FrameEnd): void {
    for (const tracer of this.#tracers.values()) tracer.leave?.(end);
  }

  step(step: Step): void {
    for (const tracer of this.#tracers.values()) tracer.step?.(step);
  }

  log(log: EvmLog): void {
    for (const tracer of this.#tracers.values()) tracer.log?.(log);
  }

  result(outcome: TraceOutcome): unknown {
    return Object.fromEntries([...this.#tracers].map(([name, tracer]) => [name, tracer.result(outcome)]));
  }
}
