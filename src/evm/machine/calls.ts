import { bytesToHex } from '../../protocol/hex.ts';
import { present } from '../../protocol/present.ts';
import type { Resumable } from '../../protocol/resumable.ts';
import { atLeast } from '../../protocol/rules/evm-level.ts';
import type { Hex } from '../../protocol/types.ts';
import type { FrameStart } from './frames.ts';
import { type Ended, type Machine, refusalOf, transfer } from './machine.ts';
import type { Range } from './operands.ts';
import type { Halt, PrecompileEnd, PrecompileResult } from './state.ts';
import { CALL_TYPES, type CallType, COLD_CALL_GAS, WARM_CALL_GAS } from './step.ts';

const VALUE_GAS = 9000n;
const STIPEND = 2300n;
const NEW_ACCOUNT_GAS = 25_000n;
const NO_CODE = new Uint8Array();

/** A call that begins. */
export interface Call {
  readonly type: CallType;
  readonly caller: Hex;
  /** Account whose storage and balance the code uses. */
  readonly address: Hex;
  readonly codeAddress: Hex;
  /** wei that move. */
  readonly transfer: bigint;
  /** wei that the code sees. */
  readonly value: bigint;
  readonly gas: bigint;
  readonly input: FrameStart['input'];
  /** Memory of the caller that takes what the call returns. */
  readonly output: Range;
  readonly isStatic: boolean;
}

/**
 * Takes the operands of CALL, CALLCODE, DELEGATECALL or STATICCALL from the stack and charges what depends on state.
 * The loop has charged the access to the account and the expansion of memory.
 */
export function takeCall(machine: Machine): Call | Halt {
  const { instance, host, operands, state } = machine;
  if (operands.gas < 0n && isAccessUnpaid(machine)) return reportRefusal(machine, WARM_CALL_GAS, 'out of gas');
  const type = present(CALL_TYPES.get(operands.opcode), 'type of a call');
  const hasValue = type === 'CALL' || type === 'CALLCODE';
  const isStatic = instance.number(instance.layout.FRAME_STATIC) !== 0;
  const self = host.addressAt(instance.layout.FRAME_ADDRESS);
  const codeAddress = host.addressAt(operands.place(1));
  const wei = hasValue ? operands.word(2) : 0n;
  const isNew = type === 'CALL' && wei !== 0n && state.isEmpty(codeAddress);
  const cost = (wei === 0n ? 0n : VALUE_GAS) + (isNew ? NEW_ACCOUNT_GAS : 0n) + delegationGas(machine, codeAddress);
  const left = operands.gas - cost;
  const request = operands.word(0);
  if (left < 0n) return reportRefusal(machine, loopCost(machine) + cost + request, 'out of gas');
  const callGas = atMost(request, left);
  if (type === 'CALL' && isStatic && wei !== 0n)
    return reportRefusal(machine, loopCost(machine) + cost + callGas, 'write protection');
  reportCall(machine, cost, callGas);
  const [first, words] = hasValue ? [3, 7] : [2, 6];
  const [input, output] = [operands.range(first, first + 1), operands.range(first + 2, first + 3)];
  operands.gas = left - callGas;
  operands.pop(words);
  return {
    type,
    caller: type === 'DELEGATECALL' ? host.addressAt(instance.layout.FRAME_CALLER) : self,
    address: type === 'CALL' || type === 'STATICCALL' ? codeAddress : self,
    codeAddress,
    transfer: wei,
    value: type === 'DELEGATECALL' ? instance.word(instance.layout.FRAME_VALUE) : wei,
    gas: callGas + (wei === 0n ? 0n : STIPEND),
    input,
    output,
    isStatic: isStatic || type === 'STATICCALL',
  };
}

/** Returns what the inspected loop has charged for the call. */
function loopCost({ inspector, instance }: Machine): bigint {
  return inspector === undefined ? 0n : instance.view.getBigInt64(instance.layout.STEP_COST, true);
}

/** Whether the gas did not reach the access to a cold account, before all else (geth: `makeCallVariantGasCall`). */
function isAccessUnpaid(machine: Machine): boolean {
  const { instance, operands } = machine;
  const access = instance.view.getBigInt64(instance.layout.STEP_ACCESS, true);
  const gas = operands.gas + loopCost(machine);
  return gas < WARM_CALL_GAS || (access === COLD_CALL_GAS && gas < COLD_CALL_GAS);
}

/** Reports a call with what it costs beyond the loop's charge, and the gas that it forwards. */
function reportCall(machine: Machine, cost: bigint, forwarded: bigint): void {
  const { operands, host } = machine;
  const charge = loopCost(machine);
  host.report(operands.gas + charge, charge + cost, charge + cost + forwarded);
}

/**
 * Reports a call that its frame cannot make, with the cost that geth shows, and returns why.
 * The gas of the frame is that before the call again.
 */
function reportRefusal(machine: Machine, cost: bigint, halt: Halt): Halt {
  const { operands, host } = machine;
  operands.gas += loopCost(machine);
  host.report(operands.gas, 0n, cost);
  return halt;
}

/** Bounds the gas of a call by all but one 64th of what is left (EIP-150). */
export function atMost(request: bigint, left: bigint): bigint {
  const most = left - left / 64n;
  return request < most ? request : most;
}

/** Returns the account whose code an account runs (EIP-7702); undefined if it is its own. */
export function delegateOf({ level, state }: Pick<Machine, 'level' | 'state'>, address: Hex): Hex | undefined {
  if (!atLeast(level, 'prague')) return undefined;
  const code = state.code(address);
  const isDesignator = code.length === 23 && code[0] === 0xef && code[1] === 1 && code[2] === 0;
  return isDesignator ? bytesToHex(code.subarray(3)) : undefined;
}

/** Makes the delegate of an account warm and returns the gas of its access. */
function delegationGas(machine: Machine, address: Hex): bigint {
  const target = delegateOf(machine, address);
  if (target === undefined) return 0n;
  const { instance } = machine;
  instance.setWord(instance.layout.OPERAND, BigInt(target));
  return instance.exports.warmAccount(instance.layout.OPERAND) !== 0 ? COLD_CALL_GAS : WARM_CALL_GAS;
}

/** How a call begins: with a frame, or with its end. A precompile may have to load something for it, or take steps. */
export type CallStart = FrameStart | MessageEnd | Promise<MessageEnd>;

/** The end of a message, or the steps of a precompile to it. */
export type MessageEnd = Ended | Resumable<Ended>;

/** Moves the value of a call. Returns the frame that runs its code, or its end if it needs none. */
export function beginCall(machine: Machine, call: Call, depth: number): CallStart {
  const { precompiles, operands, state } = machine;
  const { caller, address, codeAddress, value, gas, input, isStatic } = call;
  const refusal = refusalOf(machine, depth, caller, call.transfer, gas);
  if (refusal !== undefined) return refusal;
  transfer(machine, caller, address, call.transfer);
  const precompile = precompiles.get(codeAddress);
  if (precompile !== undefined) {
    const result = precompile(input instanceof Uint8Array ? input : operands.bytes(input), gas);
    return result instanceof Promise ? result.then((done) => messageEnd(done, gas)) : messageEnd(result, gas);
  }
  const target = delegateOf(machine, codeAddress) ?? codeAddress;
  const code = precompiles.has(target) ? NO_CODE : state.code(target);
  if (code.length === 0) return { ending: 'success', gas };
  return { address, caller, value, gas, isStatic, input, code, codeHash: state.codeHash(target) };
}

function messageEnd(end: PrecompileEnd, gas: bigint): MessageEnd {
  return 'next' in end ? endOfSteps(end, gas) : endOf(end, gas);
}

function* endOfSteps(steps: Resumable<PrecompileResult>, gas: bigint): Resumable<Ended> {
  return endOf(yield* steps, gas);
}

/** Returns the end of a message to a precompile. One that fails uses all gas. */
function endOf(result: PrecompileResult, gas: bigint): Ended {
  if ('failure' in result) return { ending: 'precompile failed', gas: 0n, reason: result.failure };
  return { ending: 'success', gas: gas - result.gasUsed, output: result.output };
}
