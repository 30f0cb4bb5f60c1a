import type { Precompile } from '../../../src/evm/machine/state.ts';
import { sha256 } from '../../../src/protocol/hash.ts';
import type { EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { address } from '../support/context.ts';
import type { Accounts } from '../support/memory-state.ts';

/** A message to the first of some contracts. */
export interface Case {
  readonly level: EvmLevel;
  readonly accounts: Accounts;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gas: bigint;
}

/** What both sides say of a case, as text that can be compared. */
export interface Report {
  readonly outcome: string;
  readonly gasLeft: bigint;
  readonly output: string;
  readonly refund: bigint;
  readonly logs: readonly string[];
  readonly destroyed: readonly string[];
  /** Accounts that are not empty, with their storage. */
  readonly accounts: readonly string[];
}

export const CONTRACTS = ['c0de01', 'c0de02', 'c0de03'].map(address);
export const EMPTY = address('e0e0');
/** Two precompiles of the specification, so that calls of some exist. */
export const PRECOMPILES: ReadonlyMap<Hex, Precompile> = new Map([
  [address('2'), (input, gas) => paid(gas, 60, 12, input, sha256(input))],
  [address('4'), (input, gas) => paid(gas, 15, 3, input, input)],
]);

function paid(gas: bigint, base: number, perWord: number, input: Uint8Array, output: Uint8Array) {
  const gasUsed = BigInt(base + perWord * Math.ceil(input.length / 32));
  return gasUsed > gas ? { failure: 'out of gas' } : { output, gasUsed };
}

/** Renders an account; undefined if it is empty. */
export function accountText(
  at: string,
  { balance, nonce, code }: { readonly balance: bigint; readonly nonce: bigint; readonly code: Uint8Array },
  storage: ReadonlyMap<string, bigint>,
): string | undefined {
  const slots = [...storage].filter(([, value]) => value !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  if (balance === 0n && nonce === 0n && code.length === 0 && slots.length === 0) return undefined;
  const words = slots.map(([slot, value]) => `${slot}=${value.toString(16)}`).join(' ');
  return `${at} balance=${balance} nonce=${nonce} code=${Buffer.from(code).toString('hex')} ${words}`;
}

/** Renders a log. */
export function logText(at: string, topics: readonly Uint8Array[], data: Uint8Array): string {
  return [at, ...[...topics, data].map((bytes) => Buffer.from(bytes).toString('hex'))].join(' ');
}
