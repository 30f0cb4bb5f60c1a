import { createHash } from 'node:crypto';
import type { Hex } from 'viem';

/** Chooses values from a seed: the same seed, number and purpose give the same value. */
export interface Choice {
  bytes(purpose: string, length: number): Hex;
  /** A whole number below a bound. */
  below(purpose: string, bound: number): number;
  address(purpose: string): Hex;
}

/** Returns the choices for one transaction of a load. */
export function choiceOf(seed: number, index: number): Choice {
  const chunk = (purpose: string, part: number) =>
    createHash('sha256').update(`load ${seed} ${index} ${purpose} ${part}`).digest();
  const bytes = (purpose: string, length: number): Hex => {
    const parts = Array.from({ length: Math.ceil(length / 32) }, (_, part) => chunk(purpose, part));
    return `0x${Buffer.concat(parts).subarray(0, length).toString('hex')}`;
  };
  return {
    bytes,
    below: (purpose, bound) => chunk(purpose, 0).readUIntBE(0, 6) % bound,
    address: (purpose) => bytes(purpose, 20),
  };
}
