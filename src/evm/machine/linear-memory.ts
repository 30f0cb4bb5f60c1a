import { hexToBytes } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { Layout } from './layout.ts';

/** Functions that the loop exports. */
export interface LoopExports {
  readonly memory: WebAssembly.Memory;
  readonly run: (limit: bigint) => number;
  readonly inspect: (limit: bigint) => number;
  readonly analyse: (code: number, size: number, jumps: number) => void;
  readonly accountOf: (address: number) => number;
  readonly warmAccount: (address: number) => number;
  readonly valueOf: (slot: number) => number;
  readonly warmSlot: (address: number, slot: number) => number;
  readonly revertTo: (checkpoint: number) => void;
  readonly beginTransaction: () => void;
}

const PAGE = 0x1_0000;

/** Linear memory of an instance, by the names of addresses in `assembly/layout.ts`. */
export class LinearMemory {
  readonly exports: LoopExports;
  /** The addresses that the machine uses: a transaction asks for a hundred of them. */
  readonly layout: Layout;
  readonly #addresses: ReadonlyMap<string, number>;
  #bytes = new Uint8Array();
  #view = new DataView(new ArrayBuffer());

  constructor(exports: LoopExports) {
    this.exports = exports;
    this.#addresses = new Map(
      Object.entries(exports).flatMap(([name, value]) =>
        value instanceof WebAssembly.Global ? [[name, Number(value.value)]] : [],
      ),
    );
    this.layout = new Layout((name) => this.at(name));
    // The tables lie below the arena. Pages that no run touches take no memory of the machine.
    this.reach(this.layout.ARENA);
  }

  /** Returns an address or a size of the layout. */
  at(name: string): number {
    const address = this.#addresses.get(name);
    if (address === undefined) throw new Error(`the layout of the loop has no ${name}`);
    return address;
  }

  /** Linear memory as it is now: a memory that grows detaches the views before. */
  get bytes(): Uint8Array {
    if (this.#bytes.length === 0) this.#attach();
    return this.#bytes;
  }

  get view(): DataView {
    if (this.#bytes.length === 0) this.#attach();
    return this.#view;
  }

  /** Makes views of a memory that has grown: those before have no length, which is read faster than the buffer. */
  #attach(): void {
    const { buffer } = this.exports.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
  }

  /** Makes linear memory reach an address. @throws RangeError if the engine has no more */
  reach(end: number): void {
    const { memory } = this.exports;
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE));
  }

  number(at: number): number {
    return this.view.getUint32(at, true);
  }

  setNumber(at: number, value: number): void {
    this.view.setUint32(at, value, true);
    this.view.setUint32(at + 4, 0, true);
  }

  /** Returns the word at an address. */
  word(at: number): bigint {
    const { view } = this;
    const high = (view.getBigUint64(at + 24, true) << 64n) | view.getBigUint64(at + 16, true);
    return (high << 128n) | (view.getBigUint64(at + 8, true) << 64n) | view.getBigUint64(at, true);
  }

  setWord(at: number, value: bigint): void {
    const low = BigInt.asUintN(64, value);
    if (low === value) {
      this.bytes.fill(0, at + 8, at + 32);
      this.view.setBigUint64(at, low, true);
      return;
    }
    for (let limb = 0; limb < 4; limb++)
      this.view.setBigUint64(at + 8 * limb, BigInt.asUintN(64, value >> BigInt(64 * limb)), true);
  }

  /** Stores big-endian bytes, at most 32, as a word. */
  setWordBytes(at: number, value: Uint8Array): void {
    const { bytes } = this;
    bytes.fill(0, at, at + 32);
    for (let place = 0; place < value.length; place++) bytes[at + place] = value[value.length - 1 - place] ?? 0;
  }

  /** Stores an address as a word. */
  setAddress(at: number, address: Hex): void {
    this.setWordBytes(at, hexToBytes(address));
  }

  /** Whether two words are equal. */
  isSame(left: number, right: number): boolean {
    const { view } = this;
    for (let at = 0; at < 32; at += 4) if (view.getUint32(left + at) !== view.getUint32(right + at)) return false;
    return true;
  }

  /** Returns the 20 bytes of the address that a word has. */
  addressAt(at: number): Uint8Array {
    return this.#reversed(at, 20);
  }

  /** Returns the 32 big-endian bytes of a word. */
  wordBytes(at: number): Uint8Array {
    return this.#reversed(at, 32);
  }

  #reversed(at: number, size: number): Uint8Array {
    const { bytes } = this;
    const reversed = new Uint8Array(size);
    for (let place = 0, from = at + size - 1; place < size; place++, from--) reversed[place] = bytes[from] ?? 0;
    return reversed;
  }
}
