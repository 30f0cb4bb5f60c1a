/**
 * A transaction that is invalid in its block. The messages are geth's (core/error.go), which tools match.
 * Counterpart in revm: `InvalidTransaction`.
 */
export class TransactionInvalid extends Error {
  override readonly name = 'TransactionInvalid';
  readonly code: TransactionProblem;
  /** The values that failed the check; in brackets if geth writes them so. */
  readonly detail: string | undefined;

  constructor(code: TransactionProblem, detail?: string) {
    super(detail === undefined ? code : `${code}${detail.startsWith('(') ? '' : ':'} ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

/** Messages of geth's errors, such as `ErrNonceTooLow` (core/error.go). */
export type TransactionProblem =
  | 'nonce too low'
  | 'nonce too high'
  | 'nonce has max value'
  | 'sender not an eoa'
  | 'max priority fee per gas higher than max fee per gas'
  | 'max fee per gas less than block base fee'
  | 'insufficient funds for gas * price + value'
  | 'gas limit reached'
  | 'intrinsic gas too low'
  | 'insufficient gas for floor data gas cost'
  | 'max initcode size exceeded'
  | 'transaction gas limit too high'
  | 'undecodable transaction'
  | 'system transaction not supported'
  | 'transaction type not supported'
  | 'invalid chain id for signer'
  | 'EIP-7702 transaction with empty auth list'
  | 'EIP-7702 transaction cannot be used to create contract'
  | 'max fee per blob gas less than block blob gas fee'
  | 'blob transaction without or with malformed blob hashes'
  | 'too many blobs'
  | 'blob gas limit reached'
  | 'DA footprint of the block over its gas limit';
