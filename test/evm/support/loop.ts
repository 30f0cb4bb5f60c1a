import { storeContext } from '../../../src/evm/machine/context.ts';
import { Frames } from '../../../src/evm/machine/frames.ts';
import { Host } from '../../../src/evm/machine/host.ts';
import type { EvmInstance } from '../../../src/evm/machine/instance.ts';
import { Operands } from '../../../src/evm/machine/operands.ts';
import { haltOf, LOOP } from '../../../src/evm/machine/outcome.ts';
import { EVM_LEVELS, type EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import { address, BLOCK, CONTEXT, SENDER } from './context.ts';
import { MemoryState } from './memory-state.ts';
import { evmInstance } from './module.ts';

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
  readonly input?: Uint8Array;
  readonly isStatic?: boolean;
}

/** The loop with one frame, over a state without accounts. */
export class Loop {
  readonly #instance: EvmInstance;

  constructor(instance: EvmInstance = evmInstance()) {
    this.#instance = instance;
  }

  /** Runs code from its first byte to the end of its frame, with an empty stack and memory. */
  run(code: Uint8Array, options: RunOptions = {}): Run {
    const instance = this.#instance;
    const operands = new Operands(instance);
    instance.begin(new Host(instance, new MemoryState(new Map()), BLOCK));
    storeContext(instance, EVM_LEVELS.indexOf(options.level ?? 'osaka'), CONTEXT);
    new Frames(instance).enter({
      address: address('c0de'),
      caller: SENDER,
      value: 5n,
      gas: options.gas ?? 1_000_000n,
      isStatic: options.isStatic ?? false,
      code,
      input: options.input ?? new Uint8Array(),
    });
    const { slice } = options;
    let slices = 0;
    let outcome: number = LOOP.sliceOver;
    while (outcome === LOOP.sliceOver) {
      const limit = slice === undefined ? 0n : operands.gas - slice;
      outcome = instance.run(limit > 0n ? limit : 0n);
      if (outcome === LOOP.sliceOver) slices++;
    }
    const name = Object.entries(LOOP).find(([, value]) => value === outcome)?.[0] ?? haltOf(outcome);
    return { outcome: name, gasLeft: operands.gas, stack: this.#stack(), memory: this.#memory(), slices };
  }

  #stack(): bigint[] {
    const instance = this.#instance;
    const bottom = instance.at('STACK');
    const words = (instance.number(instance.at('FRAME_SP')) - bottom) / 32;
    return Array.from({ length: words }, (_, word) => instance.word(bottom + 32 * word));
  }

  #memory(): Uint8Array {
    const instance = this.#instance;
    const from = instance.number(instance.at('FRAME_MEMORY'));
    return instance.bytes.slice(from, from + instance.number(instance.at('FRAME_MEMORY_SIZE')));
  }
}
