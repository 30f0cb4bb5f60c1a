import type { EvmInstance } from './instance.ts';

/** Bytes of the running frame's memory. */
export interface Range {
  readonly at: number;
  readonly size: number;
}

/** The operands of an opcode that the loop left to us. Place 0 is the top of the stack. */
export class Operands {
  readonly #instance: EvmInstance;

  constructor(instance: EvmInstance) {
    this.#instance = instance;
  }

  /** Returns the opcode: the byte before the program counter. */
  get opcode(): number {
    return this.#instance.bytes[this.#instance.number(this.#instance.layout.FRAME_PC) - 1] ?? 0;
  }

  /** Words on the stack. */
  get words(): number {
    return (this.#instance.number(this.#instance.layout.FRAME_SP) - this.#instance.layout.STACK) / 32;
  }

  /** Returns the address of a word of the stack. */
  place(place: number): number {
    return this.#instance.number(this.#instance.layout.FRAME_SP) - 32 * (place + 1);
  }

  word(place: number): bigint {
    return this.#instance.word(this.place(place));
  }

  /** Returns a range of memory that the loop has expanded to. */
  range(offset: number, size: number): Range {
    const bytes = Number(this.word(size));
    if (bytes === 0) return { at: 0, size: 0 };
    return { at: this.#instance.number(this.#instance.layout.FRAME_MEMORY) + Number(this.word(offset)), size: bytes };
  }

  bytes({ at, size }: Range): Uint8Array {
    return this.#instance.bytes.slice(at, at + size);
  }

  pop(words: number): void {
    const sp = this.#instance.layout.FRAME_SP;
    this.#instance.setNumber(sp, this.#instance.number(sp) - 32 * words);
  }

  push(value: bigint): void {
    const sp = this.#instance.number(this.#instance.layout.FRAME_SP);
    this.#instance.setWord(sp, value);
    this.#instance.setNumber(this.#instance.layout.FRAME_SP, sp + 32);
  }

  get gas(): bigint {
    return this.#instance.view.getBigInt64(this.#instance.layout.FRAME_GAS, true);
  }

  set gas(gas: bigint) {
    this.#instance.view.setBigInt64(this.#instance.layout.FRAME_GAS, gas, true);
  }
}
