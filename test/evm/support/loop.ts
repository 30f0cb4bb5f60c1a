import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVM_LEVELS, type EvmLevel } from '../../../src/protocol/rules/evm-level.ts';

const WASM = join(import.meta.dirname, '..', '..', '..', 'dist', 'evm', 'evm.wasm');
/** Free addresses for the code and for the memory of the frame. */
const CODE_ROOM = 0x1_0000;
const ZEROS = 32;

/** Names of the outcomes in `outcome.ts` of the loop. */
const OUTCOMES: Readonly<Record<number, string>> = {
  0: 'stopped',
  1: 'slice over',
  16: 'out of gas',
  17: 'stack underflow',
  18: 'stack overflow',
  19: 'invalid jump',
  20: 'invalid opcode',
};

interface Exports {
  readonly memory: WebAssembly.Memory;
  run(limit: bigint): number;
  analyse(code: number, size: number, jumps: number): void;
}

/** What a run of code left. */
export interface Run {
  readonly outcome: string;
  readonly gasLeft: bigint;
  /** The top is the last. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
  /** Slices before the end. */
  readonly slices: number;
}

/** How code runs. */
export interface RunOptions {
  readonly gas?: bigint;
  readonly level?: EvmLevel;
  /** Gas of a slice; absent: all in one. */
  readonly slice?: bigint;
}

/** The loop in an instance of its own, with one frame. */
export class Loop {
  readonly #exports: Exports;
  readonly #addresses: Readonly<Record<string, number>>;

  constructor(code: Uint8Array<ArrayBuffer> = readFileSync(WASM)) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), {});
    this.#exports = exports as unknown as Exports;
    const globals = Object.entries(exports).filter(([, value]) => value instanceof WebAssembly.Global);
    this.#addresses = Object.fromEntries(
      globals.map(([name, value]) => [name, (value as WebAssembly.Global).value as number]),
    );
  }

  /** Runs code from its first byte, with an empty stack and memory. */
  run(code: Uint8Array, options: RunOptions = {}): Run {
    this.#load(code, options);
    const { slice } = options;
    let slices = 0;
    let outcome: number;
    do {
      const limit = slice === undefined ? 0n : this.#gas - slice;
      outcome = this.#exports.run(limit > 0n ? limit : 0n);
      if (outcome === 1) slices++;
    } while (outcome === 1);
    return {
      outcome: OUTCOMES[outcome] ?? `unknown outcome ${outcome}`,
      gasLeft: this.#gas,
      stack: this.#stack(),
      memory: this.#memory(),
      slices,
    };
  }

  #load(code: Uint8Array, { gas = 1_000_000n, level = 'osaka' }: RunOptions): void {
    const at = this.#at('ARENA');
    const jumps = at + ZEROS + code.length + ZEROS;
    const bytes = new Uint8Array(this.#exports.memory.buffer);
    bytes.fill(0, at, at + CODE_ROOM);
    bytes.set(code, at + ZEROS);
    this.#exports.analyse(at + ZEROS, code.length, jumps);
    const view = this.#view;
    const fields = {
      FRAME_PC: at + ZEROS,
      FRAME_CODE: at + ZEROS,
      FRAME_CODE_SIZE: code.length,
      FRAME_JUMPS: jumps,
      FRAME_SP: this.#at('STACK'),
      FRAME_MEMORY: at + CODE_ROOM,
      FRAME_LEVEL: EVM_LEVELS.indexOf(level),
    };
    for (const [name, value] of Object.entries(fields)) view.setUint32(this.#at(name), value, true);
    view.setBigUint64(this.#at('FRAME_MEMORY_SIZE'), 0n, true);
    view.setBigInt64(this.#at('FRAME_GAS'), gas, true);
  }

  #stack(): bigint[] {
    const bottom = this.#at('STACK');
    const words = (this.#view.getUint32(this.#at('FRAME_SP'), true) - bottom) / 32;
    return Array.from({ length: words }, (_, word) =>
      [3, 2, 1, 0].reduce(
        (sum, limb) => (sum << 64n) | this.#view.getBigUint64(bottom + 32 * word + 8 * limb, true),
        0n,
      ),
    );
  }

  #memory(): Uint8Array {
    const from = this.#view.getUint32(this.#at('FRAME_MEMORY'), true);
    const size = Number(this.#view.getBigUint64(this.#at('FRAME_MEMORY_SIZE'), true));
    return new Uint8Array(this.#exports.memory.buffer).slice(from, from + size);
  }

  get #gas(): bigint {
    return this.#view.getBigInt64(this.#at('FRAME_GAS'), true);
  }

  /** A view of the memory as it is now: a memory that grows detaches those before. */
  get #view(): DataView {
    return new DataView(this.#exports.memory.buffer);
  }

  #at(name: string): number {
    const address = this.#addresses[name];
    if (address === undefined) throw new Error(`the loop exports no address ${name}`);
    return address;
  }
}
