import type { Hex } from '../../../../../src/protocol/types.ts';

/**
 * An address in the terms of a program.
 * A, B and C are contracts with words in slots 0 and 1. D and F are accounts that can delegate. E has a balance alone,
 * and S sends. X does not exist. A number is a precompile.
 */
export type Who = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'S' | 'X' | 'coinbase' | 'zero' | number;
export type Contract = 'A' | 'B' | 'C';
export type CallKind = 'call' | 'callcode' | 'delegatecall' | 'staticcall';

/** One step of a frame. Its results are written to memory, and the frame returns, reverts with or logs them. */
export type Action =
  | { readonly do: 'store'; readonly slot: number; readonly value: bigint }
  | { readonly do: 'load' | 'tload'; readonly slot: number }
  | { readonly do: 'tstore'; readonly slot: number; readonly value: bigint }
  | { readonly do: 'log'; readonly topics: number }
  | { readonly do: 'read'; readonly what: 'balance' | 'codesize' | 'codehash' | 'code'; readonly of: Who }
  | { readonly do: 'pay'; readonly to: Who; readonly value: bigint }
  /** Calls the frame of a contract, or another account with input. */
  | {
      readonly do: 'call';
      readonly by: CallKind;
      readonly to: Who;
      readonly frame?: number;
      readonly input?: Hex;
      readonly value?: bigint;
      readonly gas?: number;
    }
  /** `init` is a frame of the program's creations, or code as it is. */
  | {
      readonly do: 'create';
      readonly by: 'create' | 'create2';
      readonly init: number | Hex;
      readonly value?: bigint;
      readonly salt?: number;
    }
  /** Code that pushes `gives` words in the end. */
  | { readonly do: 'code'; readonly code: string; readonly gives: number };

export type End =
  | 'stop'
  | 'return'
  | 'revert'
  | 'invalid'
  | 'out of gas'
  | 'underflow'
  | 'bad jump'
  | { readonly destroyTo: Who }
  | { readonly deploy: Hex };

export interface Frame {
  readonly actions: readonly Action[];
  readonly end: End;
}

export interface Authorization {
  readonly by: 'D' | 'F' | 'S';
  readonly to: Who;
  /** Added to the right nonce. */
  readonly ahead?: number;
  readonly chainId?: number;
  readonly isBroken?: true;
}

/** One transaction, and the contracts that it runs on a state of its own. */
export interface Program {
  readonly title: string;
  readonly contracts: Readonly<Record<Contract, readonly Frame[]>>;
  /** Init code of creations. */
  readonly inits: readonly Frame[];
  /** Account that the transaction calls, or the index of the init code that it runs. */
  readonly to: Who | { readonly init: number };
  readonly frame?: number;
  readonly value?: bigint;
  readonly gas?: number;
  readonly accessList?: readonly { readonly of: Who; readonly slots: readonly number[] }[];
  readonly authorizations?: readonly Authorization[];
  /** The transaction runs a second time. */
  readonly isRepeated?: boolean;
  /** Accounts that have delegated before the transaction. */
  readonly delegated?: Readonly<Partial<Record<'D' | 'F', Who>>>;
}

const NO_FRAMES = { A: [], B: [], C: [] };

/** Makes a program whose transaction calls the first frame of A. */
export function program(title: string, top: Frame, rest: Partial<Program> = {}): Program {
  const { contracts = NO_FRAMES, ...fields } = rest;
  return { title, inits: [], to: 'A', ...fields, contracts: { ...contracts, A: [top, ...contracts.A] } };
}

/** Makes a frame. */
export function frame(actions: readonly Action[], end: End = 'stop'): Frame {
  return { actions, end };
}
