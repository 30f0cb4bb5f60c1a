/** Holds the differences between the JSON of blocks, transactions and receipts of op-geth and op-reth. */
export interface ViewBehaviour {
  /** Headers that are shown alone carry the size of their block. */
  readonly headerSize: boolean;
  /** Transactions and logs carry the timestamp of their block. */
  readonly blockTimestamp: boolean;
  /** Deposits carry a `yParity` beside `v`, as typed transactions do. */
  readonly depositYParity: boolean;
  /** Receipts of deposits carry the L1 fee fields, with a fee of zero. */
  readonly depositL1Fields: boolean;
  /** Hashes that `eth_getProof` answers for an account that does not exist. */
  readonly absentHashes: { readonly codeHash?: Uint8Array; readonly storageRoot?: Uint8Array };
}
