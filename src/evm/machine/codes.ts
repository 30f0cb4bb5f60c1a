import type { Hex } from '../../protocol/types.ts';
import type { LinearMemory } from './linear-memory.ts';

/** Zeros before a code and behind it: PUSH reads words that begin before its data, and data behind the end is zero. */
const ZEROS = 64;

/** A code in linear memory, with the bitmap of its jump destinations. */
export interface PlacedCode {
  readonly at: number;
  readonly size: number;
  readonly jumps: number;
  /** First free address behind it. */
  readonly end: number;
}

/** Places codes in linear memory. Those of accounts stay there by their hash, as long as they fit. */
export class Codes {
  readonly #memory: LinearMemory;
  readonly #first: number;
  readonly #end: number;
  readonly #byHash = new Map<Hex, PlacedCode>();
  #next: number;

  constructor(memory: LinearMemory) {
    this.#memory = memory;
    this.#first = memory.at('CODES');
    this.#end = this.#first + memory.at('CODES_SIZE');
    this.#next = this.#first;
  }

  /** Returns an account's code, at the address `arena` if it does not fit there. */
  place(code: Uint8Array, hash: Hex, arena: number): PlacedCode {
    const earlier = this.#byHash.get(hash);
    if (earlier !== undefined) return earlier;
    if (this.#next + spaceOf(code) > this.#end) return this.placeAt(code, arena);
    const placed = this.placeAt(code, this.#next);
    this.#next = placed.end;
    this.#byHash.set(hash, placed);
    return placed;
  }

  /** Copies a code to an address and finds its jump destinations. */
  placeAt(code: Uint8Array, address: number): PlacedCode {
    const at = address + ZEROS;
    const jumps = at + code.length + ZEROS;
    const end = alignUp(address + spaceOf(code));
    this.#memory.reach(end);
    const { bytes } = this.#memory;
    bytes.fill(0, address, at);
    bytes.set(code, at);
    bytes.fill(0, at + code.length, end);
    this.#memory.exports.analyse(at, code.length, jumps);
    return { at, size: code.length, jumps, end };
  }

  /** Forgets all codes if less than a quarter of the space is left. No frame may run. */
  freeSpace(): void {
    if (this.#end - this.#next > (this.#end - this.#first) / 4) return;
    this.#byHash.clear();
    this.#next = this.#first;
  }
}

const spaceOf = (code: Uint8Array) => 2 * ZEROS + code.length + Math.ceil(code.length / 8);

/** Returns the first address from one on that a word may have. */
export const alignUp = (address: number): number => Math.ceil(address / 32) * 32;
