import type { Halt } from './state.ts';

/** Values of `assembly/outcome.ts` with which the loop returns and that are no exceptional halts. */
export const LOOP = {
  stopped: 0,
  sliceOver: 1,
  returned: 2,
  reverted: 3,
  selfDestructed: 4,
  call: 5,
  create: 6,
} as const;

/** Exceptional halts, from 16 on. */
const HALTS: readonly Halt[] = [
  'out of gas',
  'stack underflow',
  'stack overflow',
  'invalid jump',
  'invalid opcode',
  'write protection',
  'return data out of bounds',
];

/** Returns the exceptional halt of an outcome of the loop. */
export function haltOf(outcome: number): Halt {
  const halt = HALTS[outcome - 16];
  if (halt === undefined) throw new Error(`the loop returned an unknown outcome ${outcome}`);
  return halt;
}
