import type { Hex } from '../../protocol/types.ts';
import type { EvmInstance } from './instance.ts';

/** Gas of an opcode. */
export interface StepGas {
  /** Gas of the frame before the opcode. */
  readonly gas: bigint;
  /** Its cost without the gas that a call forwards. Zero: a call failed before its cost was known. */
  readonly ownCost: bigint;
  /** Its cost with that gas, as geth reports it. */
  readonly cost: bigint;
}

/** Kind of a call. */
export type CallType = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL';

/** Calls by opcode. */
export const CALL_TYPES: ReadonlyMap<number, CallType> = new Map([
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xfa, 'STATICCALL'],
]);

/** Gas of a call to a warm account. geth reports it when a call fails before its cost is known. */
export const WARM_CALL_GAS = 100n;
/** Gas of a call to a cold account (EIP-2929). */
export const COLD_CALL_GAS = 2600n;
const NO_RETURN_DATA = new Uint8Array();

/** What a step reads of the running frames outside the instance. */
export interface RunningFrames {
  /** How many run. */
  readonly depth: number;
  /** What the last call returned. */
  readonly returnData: Uint8Array;
  /** Returns the address that a word has. */
  addressAt(at: number): Hex;
}

/**
 * One opcode, before it runs or fails. Stack and memory are read from the instance when they are first asked for,
 * which must be before the opcode runs.
 */
export class Step implements StepGas {
  readonly pc: number;
  readonly op: number;
  readonly gas: bigint;
  readonly ownCost: bigint;
  readonly cost: bigint;
  /** Frames that run, this one among them. */
  readonly depth: number;
  /** Refund counter, with what SSTORE adds to it. */
  readonly refund: bigint;
  readonly #instance: EvmInstance;
  readonly #frames: RunningFrames;
  #stack: readonly bigint[] | undefined;
  #memory: Uint8Array | undefined;
  #address: Hex | undefined;

  constructor(instance: EvmInstance, frames: RunningFrames, { gas, ownCost, cost }: StepGas) {
    const at = instance.number(instance.layout.FRAME_PC) - 1;
    this.pc = at - instance.number(instance.layout.FRAME_CODE);
    this.op = instance.bytes[at] ?? 0;
    this.gas = gas;
    this.ownCost = ownCost;
    this.cost = cost;
    this.depth = frames.depth;
    const { view } = instance;
    this.refund = view.getBigInt64(instance.layout.REFUND, true) + view.getBigInt64(instance.layout.STEP_REFUND, true);
    this.#instance = instance;
    this.#frames = frames;
  }

  /** Words of the stack, bottom first. */
  get stack(): readonly bigint[] {
    const instance = this.#instance;
    const bottom = instance.layout.STACK;
    const words = (instance.number(instance.layout.FRAME_SP) - bottom) / 32;
    this.#stack ??= Array.from({ length: words }, (_, word) => instance.word(bottom + 32 * word));
    return this.#stack;
  }

  /** Memory of the frame, before the opcode expands it. */
  get memory(): Uint8Array {
    const instance = this.#instance;
    const from = instance.number(instance.layout.FRAME_MEMORY);
    this.#memory ??= instance.bytes.slice(from, from + instance.number(instance.layout.STEP_MEMORY_SIZE));
    return this.#memory;
  }

  /** Contract whose storage it accesses. */
  get address(): Hex {
    this.#address ??= this.#frames.addressAt(this.#instance.layout.FRAME_ADDRESS);
    return this.#address;
  }

  /** Return data of the frame's last call. */
  get returnData(): Uint8Array {
    const instance = this.#instance;
    return instance.number(instance.layout.FRAME_RETURNDATA_SIZE) === 0 ? NO_RETURN_DATA : this.#frames.returnData;
  }

  /** A call whose gas did not reach the access to a cold account (EIP-2929). */
  get isColdCall(): boolean {
    const access = this.#instance.view.getBigInt64(this.#instance.layout.STEP_ACCESS, true);
    const isReached = this.gas < WARM_CALL_GAS || this.gas >= COLD_CALL_GAS;
    return this.ownCost === 0n && CALL_TYPES.has(this.op) && access === COLD_CALL_GAS && !isReached;
  }

  /** The frame has no code: the creation runs empty initcode. */
  get isOfNothing(): boolean {
    return this.#instance.number(this.#instance.layout.FRAME_CODE_SIZE) === 0;
  }

  /** Returns the 32 bytes of a slot of the contract as they are now. It does not make the slot warm. */
  slotValue(slot: Uint8Array): Uint8Array {
    const instance = this.#instance;
    const at = instance.layout.OPERAND;
    instance.setWordBytes(at, slot);
    return instance.wordBytes(instance.exports.valueOf(at));
  }
}
