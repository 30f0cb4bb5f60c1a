import { bytesToHex } from '../../../protocol/hex.ts';
import type { Machine } from '../evm/machine.ts';
import { isCreation } from './operands.ts';
import type { Frame, Tracer } from './tracer.ts';

/** `4byteTracer`: how often each function selector was called, by selector and bytes of arguments. */
export class FourByteTracer implements Tracer {
  readonly #counts = new Map<string, number>();
  readonly #countsPrecompiles: boolean;
  #precompiles: ReadonlyMap<string, unknown> = new Map();

  constructor(countsPrecompiles: boolean) {
    this.#countsPrecompiles = countsPrecompiles;
  }

  start({ evm }: Machine): void {
    if (!this.#countsPrecompiles) this.#precompiles = evm.precompiles;
  }

  enter({ type, to, input }: Frame): void {
    if (input.length < 4 || isCreation(type) || type === 'SELFDESTRUCT' || this.#precompiles.has(to.slice(2))) return;
    const key = `${bytesToHex(input.subarray(0, 4))}-${input.length - 4}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  result(): unknown {
    return Object.fromEntries(this.#counts);
  }
}
