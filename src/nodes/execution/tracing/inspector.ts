import type { Frame, FrameExit, Inspector } from '../../../evm/machine/inspector.ts';
import type { EvmLog } from '../../../evm/machine/state.ts';
import type { Step } from '../../../evm/machine/step.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import { vmErrorMessage } from '../evm/vm-error.ts';
import { OP } from './opcodes.ts';
import { sentBy } from './operands.ts';
import { SSTORE_SENTRY } from './static-frames.ts';
import type { FrameEnd, Tracer } from './tracer.ts';

const NO_OUTPUT = new Uint8Array(0);
/** Opcodes that no static frame may run (EIP-214), but for CALL with value. */
const CHANGES: ReadonlySet<number> = new Set([
  ...[OP.SSTORE, OP.TSTORE, OP.CREATE, OP.CREATE2, OP.SELFDESTRUCT],
  ...[0, 1, 2, 3, 4].map((topics) => OP.LOG0 + topics),
]);

/** A tracer that is attached to an EVM. */
export interface Inspection {
  /** Detaches the tracer. Returns the end of the outermost frame, if there was one. */
  end(): FrameEnd | undefined;
}

/** Attaches a tracer to an EVM (geth: `tracing.Hooks`, revm: `Inspector`). An EVM has at most one. */
export function inspect(vm: BlockEvm, tracer: Tracer): Inspection {
  const inspector = new TracerInspector(tracer);
  vm.inspector = inspector;
  return {
    end() {
      if (vm.inspector === inspector) vm.inspector = undefined;
      return inspector.outer;
    },
  };
}

/** Shows a tracer what the EVM reports, with geth's messages for failures. */
class TracerInspector implements Inspector {
  readonly #tracer: Tracer;
  /** Whether each running frame is static. */
  readonly #static: boolean[] = [];
  readonly step?: (step: Step) => void;
  outer: FrameEnd | undefined;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
    if (tracer.step !== undefined) this.step = (step) => tracer.step?.(step);
  }

  enter(frame: Frame): void {
    this.#static.push(frame.type === 'STATICCALL' || this.#static.at(-1) === true);
    this.#tracer.enter?.(frame);
  }

  leave({ ending, gasUsed, output, reason, fault }: FrameExit): void {
    const isStatic = this.#static.pop() === true;
    const hasOutput = ending === 'success' || ending === 'revert';
    const end: FrameEnd = {
      gasUsed,
      output: hasOutput ? output : NO_OUTPUT,
      ...(ending === 'success' ? {} : { error: reason ?? wordsOf(ending, fault), ...(fault && { op: fault.op }) }),
      ...(ending === 'precompile failed' && reason !== 'out of gas' ? { isPrecompile: true } : {}),
      ...(isStatic && fault !== undefined ? forbiddenBy(ending, fault) : {}),
    };
    if (this.#static.length === 0) this.outer = end;
    this.#tracer.leave?.(end);
  }

  log(log: EvmLog): void {
    this.#tracer.log?.(log);
  }
}

/** Returns the change that a failed opcode attempted in a static frame, with or without the gas for it. */
function forbiddenBy(ending: FrameExit['ending'], fault: Step): Pick<FrameEnd, 'forbidden'> {
  if (ending !== 'write protection' && ending !== 'out of gas' && ending !== 'stack underflow') return {};
  if (CHANGES.has(fault.op)) return { forbidden: 'change' };
  const sendsValue = fault.op === OP.CALL && ending !== 'stack underflow' && sentBy(fault, 'CALL') > 0n;
  return sendsValue ? { forbidden: 'value' } : {};
}

/** Returns geth's message of a failure, with the details of the opcode that failed. */
function wordsOf(ending: Exclude<FrameExit['ending'], 'success'>, fault: Step | undefined): string {
  if (fault === undefined) return vmErrorMessage(ending);
  if (ending !== 'out of gas') return vmErrorMessage(ending, { op: fault.op, words: fault.stack.length });
  if (fault.op === OP.SSTORE && fault.gas <= SSTORE_SENTRY) return `${ending}: not enough gas for reentrancy sentry`;
  return fault.isColdCall ? `${ending}: ${ending}` : ending;
}
