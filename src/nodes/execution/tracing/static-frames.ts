import { OP } from './opcodes.ts';
import type { Frame, Step } from './tracer.ts';

/** An SSTORE needs more gas than this before it looks at anything (EIP-2200). */
export const SSTORE_SENTRY = 2300n;

/** What an SLOAD costs whose slot is not known yet, and an SSTORE: one that changes nothing, a used slot, a fresh one (EIP-2929). */
const COLD_SLOAD = 2100n;
const COLD_SSTORES: ReadonlySet<bigint> = new Set([2200n, 5000n, 22_100n]);

/** Follows whether the frame that runs may write nothing (EIP-214). */
export class StaticFrames {
  readonly #open: boolean[] = [];

  enter({ type }: Frame): void {
    this.#open.push(type === 'STATICCALL' || this.isStatic);
  }

  leave(): void {
    this.#open.pop();
  }

  get isStatic(): boolean {
    return this.#open.at(-1) === true;
  }

  /** Whether an SLOAD or SSTORE brings in or changes a slot, as the Rust clients' journal notes it; an SSTORE may fail for its gas behind that. */
  reaches({ op, gas, ownCost, stack }: Step, changes: boolean): boolean {
    if (op === OP.SLOAD) return ownCost >= COLD_SLOAD && gas >= ownCost;
    return !this.isStatic && gas > SSTORE_SENTRY && stack.length > 1 && (changes || COLD_SSTORES.has(ownCost));
  }
}
