import type { Fault } from '../../../evm/machine/state.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { MessageFailure } from './vm-error.ts';

/** Address, topics and data of a log, as RLP has them in a receipt. */
export type ExecutionLog = readonly [address: Uint8Array, topics: Uint8Array[], data: Uint8Array];

/** The message of a transaction (geth: `core.Message`). Its gas is without the intrinsic gas. */
export interface TransactionMessage {
  readonly caller: Uint8Array;
  /** null: a contract is created. The caller's nonce counts the transaction already. */
  readonly to: Uint8Array | null;
  /** wei */
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
  /** wei per gas */
  readonly gasPrice: bigint;
  readonly blobHashes?: readonly Hex[];
}

/** What a message left behind (geth: `ExecutionResult`). */
export interface MessageResult {
  /** Gas without refunds. */
  readonly gasUsed: bigint;
  readonly refund: bigint;
  readonly returnValue: Uint8Array;
  readonly logs: readonly ExecutionLog[];
  /** Address of the contract that a creation was to make. */
  readonly createdAddress?: Uint8Array;
  readonly failure?: MessageFailure;
  /** The opcode with which its outermost frame failed. */
  readonly fault?: Fault;
}

/** An address that a message has accessed, with its slots. */
export interface AccessedAccount {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
}
