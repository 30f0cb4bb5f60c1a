import type { Hex } from '../../../protocol/types.ts';
import type { StoredAccount } from '../state/account.ts';

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
  /** Why it failed: `revert`, `out of gas`, … */
  readonly failure?: string;
}

/**
 * One transaction over the state of a block: its warm addresses, the accounts that it touches, and its message.
 * `inTransaction` opens and ends it.
 */
export interface TransactionScope {
  /** Makes an address warm, and slots of it (EIP-2929). */
  warm(address: Uint8Array, slots?: readonly Uint8Array[]): void;
  /** Makes the addresses and slots of an access list warm (EIP-2930). `accessed` names them. */
  warmListed(address: Uint8Array, slots: readonly Uint8Array[]): void;
  /** Writes an account and touches it: an empty one is removed at the end (EIP-161). */
  setAccount(address: Uint8Array, account: StoredAccount): void;
  /** Runs the message of the transaction. One transaction has at most one. */
  run(message: TransactionMessage): Promise<MessageResult>;
  /**
   * Returns the addresses and slots that the message has accessed, beside those that were warm from the start.
   * Created contracts are listed only with slots, as in both clients.
   */
  accessed(): readonly AccessedAccount[];
  /** Removes what ran SELFDESTRUCT (EIP-6780: only what the transaction created) and touched empty accounts. */
  end(): Promise<void>;
  /** Drops what the transaction has kept beside the state. */
  close(): void;
}

/** An address that a message has accessed, with its slots. */
export interface AccessedAccount {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
}
