import type { InterpreterStep, Message } from '@ethereumjs/evm';
import { generateAddress2 } from '@ethereumjs/util';
import { contractAddress } from '../../../protocol/accounts/contract-address.ts';
import { ZERO_ADDRESS } from '../../../protocol/execution/constants.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import { vmErrorMessage } from '../evm/vm-error.ts';
import { OP, opName } from './opcodes.ts';
import { addressFrom, forwardedGas, inputOf, isCreation, logOf, sentBy } from './operands.ts';
import { SSTORE_SENTRY } from './static-frames.ts';
import type { FrameEnd, FrameType, Step, Tracer } from './tracer.ts';

const CALLS: Readonly<Record<number, FrameType>> = {
  [OP.CREATE]: 'CREATE',
  [OP.CALL]: 'CALL',
  [OP.CALLCODE]: 'CALLCODE',
  [OP.DELEGATECALL]: 'DELEGATECALL',
  [OP.CREATE2]: 'CREATE2',
  [OP.STATICCALL]: 'STATICCALL',
};
const ENDS: ReadonlySet<number> = new Set([OP.STOP, OP.RETURN, OP.SELFDESTRUCT]);
const NO_BYTES = new Uint8Array(0);
/** Gas of a call to a warm and to a cold address (EIP-2929). */
const WARM_CALL_GAS = 100n;
const COLD_CALL_GAS = 2600n;
/** Base gas of a creation. */
const CREATION_GAS = 32_000n;
const OUT_OF_GAS = 'out of gas';
/** Maximum depth of calls. */
const MAX_DEPTH = 1024;

/** A running frame. */
interface Open {
  readonly message: Message;
  readonly type: FrameType;
  /** Its last instruction, until something follows it. */
  last: Step | undefined;
  /** Balance of the contract in wei before that instruction. */
  balance: bigint;
  returnData: Uint8Array;
}

/** A tracer that is attached to an EVM. */
export interface Inspection {
  /** Detaches the tracer. Returns the end of the outermost frame, if there was one. */
  end(): FrameEnd | undefined;
}

type CallResult = Awaited<ReturnType<BlockEvm['evm']['runCall']>>;

/**
 * Attaches a tracer to an EVM (geth: `tracing.Hooks`, revm: `Inspector`).
 * The library reports messages, instructions and their ends. Kinds of calls, calls that fail before their message, logs
 * and SELFDESTRUCTs are derived from the instructions.
 */
export function inspect(vm: BlockEvm, tracer: Tracer): Inspection {
  const inspector = new Inspector(vm, tracer);
  const { events } = vm.evm;
  const before = (message: Message) => inspector.enter(message);
  const after = (result: CallResult) => inspector.leave(result);
  const step = (data: InterpreterStep) => inspector.step(data);
  events.on('beforeMessage', before);
  events.on('afterMessage', after);
  events.on('step', step);
  vm.tracers.add(inspector);
  return {
    end() {
      events.off('beforeMessage', before);
      events.off('afterMessage', after);
      events.off('step', step);
      vm.tracers.delete(inspector);
      return inspector.outer;
    },
  };
}

class Inspector {
  readonly #vm: BlockEvm;
  readonly #tracer: Tracer;
  readonly #open: Open[] = [];
  outer: FrameEnd | undefined;

  constructor(vm: BlockEvm, tracer: Tracer) {
    this.#vm = vm;
    this.#tracer = tracer;
  }

  enter(message: Message): void {
    const caller = this.#open.at(-1);
    const type = (caller?.last && CALLS[caller.last.op]) ?? (message.to === undefined ? 'CREATE' : 'CALL');
    const parentValue = caller?.message.value ?? 0n;
    if (caller !== undefined) caller.last = undefined;
    this.#open.push({ message, type, last: undefined, balance: 0n, returnData: NO_BYTES });
    const self = message.to === undefined ? this.#addressOfCreated(message) : bytesToHex(message.to.bytes);
    const borrows = type === 'DELEGATECALL' || type === 'CALLCODE';
    this.#tracer.enter?.({
      type,
      depth: message.depth,
      // For DELEGATECALL the library reports the caller's caller. The contract itself is the sender.
      from: type === 'DELEGATECALL' ? self : bytesToHex(message.caller.bytes),
      to: borrows ? bytesToHex(message.codeAddress.bytes) : self,
      // The data is a view of the caller's memory, which changes later.
      input: Uint8Array.from(message.data),
      gas: message.gasLimit,
      value: type === 'DELEGATECALL' ? parentValue : message.value,
    });
  }

  leave({ execResult }: CallResult): void {
    const frame = this.#open.pop();
    if (frame === undefined) return;
    const failure = execResult.exceptionError?.error;
    if (failure === undefined) {
      const isEnded = frame.last !== undefined && ENDS.has(frame.last.op);
      this.#completed(frame);
      if (!isEnded) this.#ranOut(frame, execResult);
      if (isCreation(frame.type)) this.#ranNothing(frame.message);
    }
    const caller = this.#open.at(-1);
    const output = failure === undefined || failure === 'revert' ? execResult.returnValue : NO_BYTES;
    const keepsCode = isCreation(frame.type) && failure === undefined;
    if (caller !== undefined) caller.returnData = keepsCode ? NO_BYTES : output;
    const end: FrameEnd = {
      gasUsed: execResult.executionGasUsed,
      output,
      ...(failure === undefined ? {} : { error: wordsOf(failure, frame), ...(frame.last && { op: frame.last.op }) }),
      ...(failure === 'static state change' ? { forbidden: frame.last?.op === OP.CALL ? 'value' : 'change' } : {}),
    };
    if (caller === undefined) this.outer = end;
    this.#tracer.leave?.(end);
  }

  step(data: InterpreterStep): void {
    const frame = this.#open.at(-1);
    if (frame === undefined) return;
    this.#completed(frame);
    const { code } = frame.message;
    const byte = code instanceof Uint8Array ? code[data.pc] : undefined;
    const step = stepOf(data, byte, frame.returnData);
    frame.last = step;
    if (step.op === OP.SELFDESTRUCT || CALLS[step.op] !== undefined)
      frame.balance = this.#vm.state.account(data.address.bytes)?.balance ?? 0n;
    this.#tracer.step?.(step);
  }

  /** Handles the end of a frame's last instruction. */
  #completed(frame: Open): void {
    const { last: step } = frame;
    if (step === undefined) return;
    frame.last = undefined;
    const call = CALLS[step.op];
    if (step.op >= OP.LOG0 && step.op <= OP.LOG4) this.#tracer.log?.(logOf(step));
    else if (step.op === OP.SELFDESTRUCT) this.#bequeathed(step, frame.balance);
    else if (call !== undefined) {
      frame.returnData = NO_BYTES;
      this.#refused(step, call, frame.balance);
    }
  }

  /** Code without a final instruction ends with an implicit STOP, which clients show as a step. */
  #ranOut({ message, returnData }: Open, { runState, gasRefund }: CallResult['execResult']): void {
    if (runState === undefined || this.#tracer.step === undefined) return;
    const { programCounter: pc, gasLeft: gas, stack, memory, memoryWordCount } = runState;
    if (!(message.code instanceof Uint8Array) || message.code.length === 0) return;
    this.#tracer.step({
      ...{ pc, op: OP.STOP, name: 'STOP', gas, ownCost: 0n, cost: 0n, depth: message.depth + 1 },
      refund: gasRefund ?? 0n,
      stack: stack.getStack(),
      memory: memory._store.slice(0, Number(memoryWordCount) * 32),
      address: bytesToHex(present(message.to, 'address of a running frame').bytes),
      returnData,
    });
  }

  /** Shows the STOP of a creation without code. */
  #ranNothing({ code, gasLimit: gas, depth, to }: Message): void {
    if (!(code instanceof Uint8Array) || code.length > 0) return;
    this.#tracer.step?.({
      ...{ pc: 0, op: OP.STOP, name: 'STOP', gas, ownCost: 0n, cost: 0n, depth: depth + 1, refund: 0n },
      ...{
        stack: [],
        memory: NO_BYTES,
        returnData: NO_BYTES,
        address: bytesToHex(present(to, 'address of a creation').bytes),
        ofNothing: true,
      },
    });
  }

  #bequeathed({ stack, address, depth }: Step, value: bigint): void {
    const to = addressFrom(stack.at(-1) ?? 0n);
    this.#tracer.enter?.({ type: 'SELFDESTRUCT', depth, from: address, to, input: NO_BYTES, gas: 0n, value });
    this.#tracer.leave?.({ gasUsed: 0n, output: NO_BYTES });
  }

  /** Reports a call that fails before its message: too deep, or above the balance. */
  #refused(step: Step, type: FrameType, balance: bigint): void {
    const value = sentBy(step, type);
    const isTooDeep = step.depth > MAX_DEPTH;
    if (!isTooDeep && value <= balance) return;
    const input = inputOf(step, type);
    const gas =
      forwardedGas(step.stack, step.gas - step.ownCost, type) + (value > 0n && !isCreation(type) ? 2300n : 0n);
    const to = isCreation(type) ? ZERO_ADDRESS : addressFrom(step.stack.at(-2) ?? 0n);
    this.#tracer.enter?.({ type, depth: step.depth, from: step.address, to, input, gas, value });
    const error = isTooDeep ? 'max call depth exceeded' : vmErrorMessage('insufficient balance');
    this.#tracer.leave?.({ gasUsed: 0n, output: NO_BYTES, error });
  }

  #addressOfCreated({ caller, salt, data }: Message): Hex {
    if (salt !== undefined) return bytesToHex(generateAddress2(caller.bytes, salt, data));
    const nonce = this.#vm.state.account(caller.bytes)?.nonce ?? 0n;
    // The creator's nonce was raised before the message.
    return contractAddress(bytesToHex(caller.bytes), nonce - 1n);
  }
}

function stepOf(data: InterpreterStep, byte: number | undefined, returnData: Uint8Array): Step {
  const { code: op, name, fee, dynamicFee } = data.opcode;
  const ownCost = dynamicFee ?? BigInt(fee);
  const call = CALLS[op];
  const stack = data.stack;
  return {
    pc: data.pc,
    op: byte ?? op,
    name: opName(op, name, byte),
    gas: data.gasLeft,
    ownCost,
    cost: costOf(ownCost, data, call),
    depth: data.depth + 1,
    refund: data.gasRefund,
    stack,
    memory: data.memory,
    address: bytesToHex(data.address.bytes),
    returnData,
  };
}

function costOf(ownCost: bigint, { stack, gasLeft }: InterpreterStep, call: FrameType | undefined): bigint {
  if (call === undefined) return ownCost;
  // geth reports the base cost if the gas does not cover it.
  if (isCreation(call)) return gasLeft < CREATION_GAS ? CREATION_GAS : ownCost;
  return ownCost === 0n ? WARM_CALL_GAS : ownCost + forwardedGas(stack, gasLeft - ownCost, call);
}

/** Returns the value of a call that failed before the library counted its cost, undefined for other instructions. */
function unchargedValue(step: Step): bigint | undefined {
  const call = CALLS[step.op];
  return call === undefined || isCreation(call) || step.ownCost !== 0n ? undefined : sentBy(step, call);
}

/** Returns the minimum gas of an instruction, for any state and memory. */
function leastCost(step: Step): bigint {
  const { op, ownCost, stack } = step;
  if (op >= OP.LOG0 && op <= OP.LOG4) return 375n * BigInt(1 + op - OP.LOG0) + 8n * (stack.at(-2) ?? 0n);
  return (unchargedValue(step) ?? 0n) > 0n ? WARM_CALL_GAS + 9000n : ownCost;
}

/** Whether a RETURNDATACOPY exceeds the return data. */
function isBeyond({ stack, returnData }: Step): boolean {
  return (stack.at(-2) ?? 0n) + (stack.at(-3) ?? 0n) > BigInt(returnData.length);
}

/** Returns geth's message of a failure, with the details of the last instruction. */
function wordsOf(failure: string, { message, type, last }: Open): string {
  // A failed precompile takes all gas. The library reports it as a revert.
  if (message.isCompiled && failure !== 'out of gas') return 'invalid input of a precompile';
  // The library has one error for code that runs out of gas and for deployed code that cannot be paid.
  const isPaid = last?.op === OP.RETURN && last.gas >= last.ownCost;
  if (isCreation(type) && failure === 'out of gas' && isPaid) return vmErrorMessage('code store out of gas');
  const isOutOfGas = failure === 'out of gas' || failure === 'static state change';
  if (isOutOfGas && last !== undefined) {
    const { op, gas } = last;
    if (op === OP.SSTORE && gas <= SSTORE_SENTRY) return `${OUT_OF_GAS}: not enough gas for reentrancy sentry`;
    if (gas >= WARM_CALL_GAS && gas < COLD_CALL_GAS && unchargedValue(last) === 0n)
      return `${OUT_OF_GAS}: ${OUT_OF_GAS}`;
    // The library checks the static flag first, geth the gas.
    if (gas < leastCost(last)) return OUT_OF_GAS;
    if (op === OP.RETURNDATACOPY && isBeyond(last)) return 'return data out of bounds';
  }
  return failure === 'invalid opcode' && last !== undefined ? `invalid opcode: ${last.name}` : vmErrorMessage(failure);
}
