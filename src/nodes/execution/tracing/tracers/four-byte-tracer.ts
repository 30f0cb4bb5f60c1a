import type { Frame } from '../../../../evm/machine/inspector.ts';
import { NO_BYTES } from '../../../../protocol/bytes.ts';
import { bytesToHex } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { BlockEvm } from '../../evm/evm-factory.ts';
import { isCreation } from '../operands.ts';
import type { Traced, TraceOutcome, Tracer } from '../tracer.ts';

/**
 * `4byteTracer`: counts calls by function selector and bytes of arguments.
 * Counterparts: `fourByteTracer` of geth, `FourByteInspector` of revm-inspectors.
 */
export class FourByteTracer implements Tracer {
  readonly #counts = new Map<string, number>();
  readonly #countsAll: boolean;
  #traced: Traced | undefined;
  #precompiles: ReadonlyMap<Hex, unknown> = new Map();

  /** `countsAll`: also calls of precompiles, and a deposit that lacks its value. */
  constructor(countsAll: boolean) {
    this.#countsAll = countsAll;
  }

  start({ precompiles }: BlockEvm, traced: Traced): void {
    this.#traced = traced;
    if (!this.#countsAll) this.#precompiles = precompiles;
  }

  enter({ type, to, input }: Frame): void {
    if (input.length < 4 || isCreation(type) || type === 'SELFDESTRUCT' || this.#precompiles.has(to)) return;
    this.#count(input);
  }

  result({ unrun }: TraceOutcome): unknown {
    const { to = null, input = NO_BYTES } = this.#traced ?? {};
    if (this.#countsAll && unrun?.gas !== undefined && to !== null && input.length >= 4) this.#count(input);
    return Object.fromEntries(this.#counts);
  }

  #count(input: Uint8Array): void {
    const key = `${bytesToHex(input.subarray(0, 4))}-${input.length - 4}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}
