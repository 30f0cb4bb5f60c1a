import type { Hex } from '../../protocol/types.ts';
import { alignUp, type PlacedCode } from './codes.ts';
import type { EvmInstance } from './instance.ts';

/** What a frame begins with. */
export interface FrameStart {
  readonly address: Hex;
  readonly caller: Hex;
  readonly value: bigint;
  readonly gas: bigint;
  readonly isStatic: boolean;
  readonly code: Uint8Array;
  /** Hash of an account's code; absent: initcode. */
  readonly codeHash?: Hex;
  /** Input in linear memory, or bytes. */
  readonly input: { readonly at: number; readonly size: number } | Uint8Array;
}

/** The frames in linear memory: the running one in its fields, the others above each other in the arena. */
export class Frames {
  readonly #instance: EvmInstance;
  /** Address of each frame's part of the arena, which begins with what it keeps of the frame before. */
  readonly #bases: number[] = [];

  constructor(instance: EvmInstance) {
    this.#instance = instance;
  }

  /** Keeps the running frame and begins another one above it. */
  enter(start: FrameStart): void {
    const base = this.#top();
    let next = this.#bases.length === 0 ? base : this.#keep(base);
    this.#bases.push(base);
    const instance = this.#instance;
    let input = start.input;
    if (input instanceof Uint8Array) {
      instance.reach(next + input.length);
      instance.bytes.set(input, next);
      input = { at: next, size: input.length };
      next = alignUp(next + input.size);
    }
    const { code, codeHash } = start;
    const { codes } = instance;
    const placed = codeHash === undefined ? codes.placeAt(code, next) : codes.place(code, codeHash, next);
    this.#begin(start, placed, input, placed.at >= next ? placed.end : next);
  }

  /** Drops the running frame. The frame before runs again, if there is one. */
  leave(): void {
    const base = this.#bases.pop();
    if (base === undefined || this.#bases.length === 0) return;
    const { bytes } = this.#instance;
    const instance = this.#instance;
    const [frame, end, stack] = [instance.layout.FRAME, instance.layout.FRAME_END, instance.layout.STACK];
    bytes.copyWithin(frame, base, base + end - frame);
    const used = instance.number(instance.layout.FRAME_SP) - stack;
    bytes.copyWithin(stack, base + end - frame, base + end - frame + used);
  }

  #top(): number {
    const instance = this.#instance;
    if (this.#bases.length === 0) return instance.layout.ARENA;
    return instance.number(instance.layout.FRAME_MEMORY) + instance.number(instance.layout.FRAME_MEMORY_SIZE);
  }

  /** Copies the fields and the stack of the running frame to the arena and returns the first address behind them. */
  #keep(base: number): number {
    const instance = this.#instance;
    const [frame, end, stack] = [instance.layout.FRAME, instance.layout.FRAME_END, instance.layout.STACK];
    const sp = instance.number(instance.layout.FRAME_SP);
    const next = base + end - frame + sp - stack;
    instance.reach(next);
    instance.bytes.copyWithin(base, frame, end);
    instance.bytes.copyWithin(base + end - frame, stack, sp);
    return alignUp(next);
  }

  #begin(start: FrameStart, code: PlacedCode, input: { at: number; size: number }, memory: number): void {
    const instance = this.#instance;
    const { layout } = instance;
    const set = (at: number, value: number) => instance.setNumber(at, value);
    set(layout.FRAME_PC, code.at);
    set(layout.FRAME_CODE, code.at);
    set(layout.FRAME_CODE_SIZE, code.size);
    set(layout.FRAME_JUMPS, code.jumps);
    set(layout.FRAME_SP, instance.layout.STACK);
    set(layout.FRAME_MEMORY, memory);
    set(layout.FRAME_MEMORY_SIZE, 0);
    set(layout.FRAME_CALLDATA, input.at);
    set(layout.FRAME_CALLDATA_SIZE, input.size);
    set(layout.FRAME_RETURNDATA_SIZE, 0);
    set(layout.FRAME_STATIC, start.isStatic ? 1 : 0);
    set(layout.FRAME_CHECKPOINT, instance.number(instance.layout.JOURNAL_COUNT));
    instance.view.setBigInt64(instance.layout.FRAME_GAS, start.gas, true);
    instance.setAddress(instance.layout.FRAME_ADDRESS, start.address);
    instance.setAddress(instance.layout.FRAME_CALLER, start.caller);
    instance.setWord(instance.layout.FRAME_VALUE, start.value);
    set(layout.FRAME_ACCOUNT, instance.exports.accountOf(instance.layout.FRAME_ADDRESS));
  }
}
