import type { Frame } from '../../../../evm/machine/inspector.ts';
import type { Step } from '../../../../evm/machine/step.ts';
import { bytesToHex, hexToBytes } from '../../../../protocol/hex.ts';
import { present } from '../../../../protocol/present.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { BlockEvm } from '../../evm/evm-factory.ts';
import { opName } from '../../evm/opcode-table.ts';
import { isDelegation } from '../../transaction/transaction.ts';
import { OP } from '../opcodes.ts';
import { chargedCost, isCreation } from '../operands.ts';
import type { ResponseSizeLimit } from '../response-size-limit.ts';
import { pushedWords } from '../stack-pushes.ts';
import type { Traced, TraceOutcome, Tracer } from '../tracer.ts';

/** Effect of an instruction in op-reth's format. */
interface VmEffect {
  /** Words that it pushed, deepest first. Empty if it failed. */
  push: readonly Hex[];
  /** Memory before it. `off` is the length. */
  readonly mem: { readonly off: number; readonly data: Hex };
  store: { readonly key: Hex; readonly val: Hex } | null;
  /** Gas before it. */
  readonly used: number;
}

interface VmInstruction {
  readonly pc: number;
  readonly op: string;
  /** Gas cost, with the gas that a call or creation forwards. */
  readonly cost: number;
  readonly ex: VmEffect;
  /** Trace of the called or created code. */
  sub: VmTrace | null;
}

/** Instructions of one frame in Parity's format. */
export interface VmTrace {
  readonly code: Hex;
  readonly ops: VmInstruction[];
}

interface Open {
  readonly trace: VmTrace | null;
  /** The running instruction. */
  running: { readonly instruction: VmInstruction; readonly op: number; readonly store: VmEffect['store'] } | undefined;
  /** The last shown memory. Most instructions do not change it. */
  memory: { readonly bytes: Uint8Array; readonly effect: VmEffect['mem'] };
}

/** JSON size in bytes of an instruction without its values. */
const INSTRUCTION_SIZE = 140;
const NO_MEMORY: Open['memory'] = { bytes: new Uint8Array(0), effect: { off: 0, data: '0x' } };

/** `vmTrace`: every instruction of a transaction, those of calls nested (revm-inspectors: `vm_trace`). */
export class VmTracer implements Tracer {
  readonly #sizeLimit: ResponseSizeLimit;
  readonly #open: Open[] = [];
  #vm: BlockEvm | undefined;
  #traced: Traced | undefined;
  #root: VmTrace | null = null;

  constructor(sizeLimit: ResponseSizeLimit) {
    this.#sizeLimit = sizeLimit;
  }

  start(vm: BlockEvm, traced: Traced): void {
    this.#vm = vm;
    this.#traced = traced;
  }

  enter(frame: Frame): void {
    const caller = this.#open.at(-1);
    const trace = this.#isShown(frame) ? { code: this.#codeOf(frame), ops: [] } : null;
    if (trace !== null) this.#sizeLimit.take(trace.code.length);
    if (caller === undefined) this.#root = trace;
    else if (caller.running !== undefined) caller.running.instruction.sub = trace;
    this.#open.push({ trace, running: undefined, memory: NO_MEMORY });
  }

  leave(): void {
    this.#open.pop();
  }

  step(step: Step): void {
    const frame = this.#open.at(-1);
    if (frame?.trace == null) return;
    this.#ran(frame, step);
    const ex: VmEffect = { push: [], mem: memoryOf(frame, step), store: null, used: Number(step.gas) };
    const instruction: VmInstruction = {
      pc: step.pc,
      op: opName(step.op),
      cost: Number(chargedCost(step)),
      ex,
      sub: null,
    };
    this.#sizeLimit.take(INSTRUCTION_SIZE + ex.mem.data.length);
    frame.trace.ops.push(instruction);
    const store = step.op === OP.SSTORE ? { key: quantityAt(step, 0), val: quantityAt(step, 1) } : null;
    frame.running = { instruction, op: step.op, store };
  }

  /** A deposit that lacks its value shows the code that it would run. */
  result({ unrun }: Pick<TraceOutcome, 'unrun'>): VmTrace {
    if (this.#root !== null) return this.#root;
    const to = unrun?.gas === undefined ? null : (this.#traced?.to ?? null);
    return { code: to === null ? '0x' : this.#codeAt(to), ops: [] };
  }

  /** Completes the running instruction from the state before the next one. */
  #ran({ running }: Open, next: Step): void {
    if (running === undefined) return;
    const { instruction, op, store } = running;
    const { ex } = instruction;
    ex.push = next.stack.slice(next.stack.length - pushedWords(op)).map((word): Hex => `0x${word.toString(16)}`);
    ex.store = store;
    this.#sizeLimit.take(ex.push.length * 12);
  }

  /** Neither SELFDESTRUCT nor precompiles have instructions to show. */
  #isShown({ type, to }: Frame): boolean {
    return (
      type !== 'SELFDESTRUCT' && !(this.#open.length > 0 && present(this.#vm, 'EVM of the tracer').precompiles.has(to))
    );
  }

  /** Returns the code that runs: init code of a creation, or the code of a delegate. */
  #codeOf({ type, to, input }: Frame): Hex {
    return isCreation(type) ? bytesToHex(input) : this.#codeAt(to);
  }

  #codeAt(address: Hex): Hex {
    const { state } = present(this.#vm, 'EVM of the tracer');
    const code = state.code(hexToBytes(address));
    return bytesToHex(isDelegation(code) ? state.code(code.subarray(3)) : code);
  }
}

function memoryOf(frame: Open, { memory }: Step): VmEffect['mem'] {
  if (Buffer.compare(memory, frame.memory.bytes) !== 0)
    frame.memory = { bytes: memory, effect: { off: memory.length, data: bytesToHex(memory) } };
  return frame.memory.effect;
}

function quantityAt({ stack }: Step, depth: number): Hex {
  return `0x${(stack.at(-1 - depth) ?? 0n).toString(16)}`;
}
