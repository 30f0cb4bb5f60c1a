import type { Frame } from '../../../evm/machine/inspector.ts';
import type { Step } from '../../../evm/machine/step.ts';
import { OP } from './opcodes.ts';

/** SSTORE fails at or below this gas (EIP-2200). */
export const SSTORE_SENTRY = 2300n;

/** Gas of a cold SLOAD, and of a cold SSTORE: unchanged, used and new slot (EIP-2929). */
const COLD_SLOAD = 2100n;
const COLD_SSTORES: ReadonlySet<bigint> = new Set([2200n, 5000n, 22_100n]);

/** Tracks whether the running frame is static (EIP-214). */
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

  /** Whether an SLOAD or SSTORE loads or changes a slot in revm's journal. The SSTORE may still run out of gas. */
  reaches({ op, gas, ownCost, stack }: Step, changes: boolean): boolean {
    if (op === OP.SLOAD) return ownCost >= COLD_SLOAD && gas >= ownCost;
    return !this.isStatic && gas > SSTORE_SENTRY && stack.length > 1 && (changes || COLD_SSTORES.has(ownCost));
  }
}
