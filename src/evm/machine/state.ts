import type { Resumable } from '../../protocol/resumable.ts';
import type { Hex } from '../../protocol/types.ts';

/**
 * State that code reads and changes, but for slots: their values of the transaction stand in the instance's tables.
 * Counterpart in geth: `vm.StateDB`. A read of what is not here throws, and the transaction begins again later.
 */
export interface EvmState {
  /** Whether an account has nonce 0, balance 0 and no code (EIP-161), or is absent. */
  isEmpty(address: Hex): boolean;
  balance(address: Hex): bigint;
  setBalance(address: Hex, wei: bigint): void;
  nonce(address: Hex): bigint;
  setNonce(address: Hex, nonce: bigint): void;
  code(address: Hex): Uint8Array;
  codeHash(address: Hex): Hex;
  setCode(address: Hex, code: Uint8Array): void;
  /** Returns the 32 bytes of a slot before the transaction. */
  storage(address: Hex, slot: Uint8Array): Uint8Array;
  /** Whether an account has storage, which a creation must not meet (EIP-7610). */
  hasStorage(address: Hex): boolean;
  /** Touches an account: it is removed at the end of the transaction if it is empty (EIP-161). */
  touch(address: Hex): void;
  /** Removes an account at the end of the transaction. */
  destroy(address: Hex): void;
  /** Returns a point to which `revertTo` takes everything back. */
  checkpoint(): number;
  revertTo(checkpoint: number): void;
}

/** A block as code reads it (geth: `BlockContext`). */
export interface EvmBlock {
  readonly chainId: bigint;
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly coinbase: Hex;
  readonly prevRandao: Hex;
  readonly gasLimit: bigint;
  /** wei per gas */
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  /** Returns the 32 bytes of the hash of one of the previous 256 blocks, or undefined. */
  blockHash(number: number): Uint8Array | undefined;
}

/** A transaction and its block as code reads them (geth: `TxContext`). */
export interface EvmContext {
  /** One object for all transactions of a block: an instance keeps what it has stored of it. */
  readonly block: EvmBlock;
  readonly origin: Hex;
  /** wei per gas */
  readonly gasPrice: bigint;
  readonly blobHashes: readonly Hex[];
}

/** A log of code. */
export interface EvmLog {
  readonly address: Hex;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** What a precompile returns and its gas, or why it fails, which uses all gas. */
export type PrecompileResult = { readonly output: Uint8Array; readonly gasUsed: bigint } | { readonly failure: string };

/** The end of a call of a precompile, or the steps to it if they take long. */
export type PrecompileEnd = PrecompileResult | Resumable<PrecompileResult>;

/** A precompile. One that has something to load first returns a promise. */
export type Precompile = (input: Uint8Array, gas: bigint) => PrecompileEnd | Promise<PrecompileEnd>;

/** A call or a creation. */
export interface Message {
  readonly caller: Hex;
  /**
   * Account whose storage and balance the code uses. Absent: a contract is created, whose address follows from the
   * nonce before the caller's.
   */
  readonly to?: Hex;
  readonly value: bigint;
  /** Input of a call, initcode of a creation. */
  readonly data: Uint8Array;
  readonly gas: bigint;
}

/** The opcode with which a frame failed, and the words on its stack. */
export interface Fault {
  readonly op: number;
  readonly words: number;
}

/** How a message ended. */
export interface Result {
  readonly outcome: Ending;
  readonly gasLeft: bigint;
  /** What RETURN or REVERT returned: the code of a contract that a creation made. */
  readonly output: Uint8Array;
  readonly logs: readonly EvmLog[];
  /** Refund counter. */
  readonly refund: bigint;
  /** Why the precompile failed that the message called. */
  readonly reason?: string;
  /** The opcode with which the message's frame failed. */
  readonly fault?: Fault;
  /** Address of the contract that a creation made. */
  readonly created?: Hex;
}

/** Outcome of a message: success, a revert, or an exceptional halt, which uses all gas. */
export type Ending = 'success' | 'revert' | Halt;

/** Reasons of an exceptional halt. */
export type Halt =
  | 'out of gas'
  | 'precompile failed'
  | 'stack underflow'
  | 'stack overflow'
  | 'invalid jump'
  | 'invalid opcode'
  | 'write protection'
  | 'return data out of bounds'
  | 'call depth exceeded'
  | 'insufficient balance'
  | 'nonce overflow'
  | 'contract address collision'
  | 'initcode too large'
  | 'code too large'
  | 'code store out of gas'
  | 'code begins with 0xef';
