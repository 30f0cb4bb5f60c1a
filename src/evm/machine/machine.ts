import type { EvmLevel } from '../../protocol/rules/evm-level.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Host } from './host.ts';
import type { Inspector } from './inspector.ts';
import type { EvmInstance } from './instance.ts';
import type { Operands } from './operands.ts';
import type { Ending, EvmContext, EvmState, Fault, Precompile } from './state.ts';

/** What an EVM runs on. */
export interface EvmOptions {
  /** The instance of the loop. It runs this transaction alone until the last message has ended. */
  readonly instance: EvmInstance;
  readonly level: EvmLevel;
  readonly state: EvmState;
  readonly context: EvmContext;
  readonly precompiles: ReadonlyMap<Hex, Precompile>;
  /** Sees messages and opcodes. Absent: a loop runs that reports none. */
  readonly inspector?: Inspector | undefined;
}

/** What calls and creations work on. */
export interface Machine extends Omit<EvmOptions, 'context'> {
  readonly host: Host;
  readonly operands: Operands;
}

/** A message that has ended without a frame, or with it. */
export interface Ended {
  readonly ending: Ending;
  readonly gas: bigint;
  readonly output?: Uint8Array;
  /** Why a precompile failed. */
  readonly reason?: string;
  readonly fault?: Fault;
}

/** Frames that may run inside each other. */
const MAX_DEPTH = 1024;

/** Returns why a message cannot begin: too many frames, or too little balance. Its gas is left. */
export function refusalOf({ state }: Machine, depth: number, caller: Hex, wei: bigint, gas: bigint): Ended | undefined {
  if (depth > MAX_DEPTH) return { ending: 'call depth exceeded', gas };
  return wei !== 0n && wei > state.balance(caller) ? { ending: 'insufficient balance', gas } : undefined;
}

/** Moves wei from an account to another, and touches the latter. */
export function transfer({ state }: Machine, from: Hex, to: Hex, wei: bigint): void {
  state.touch(to);
  if (from === to || wei === 0n) return;
  state.setBalance(from, state.balance(from) - wei);
  state.setBalance(to, state.balance(to) + wei);
}
