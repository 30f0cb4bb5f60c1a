/** Why the pool refuses a transaction, in the words that tools match (as the Go clients speak them). */
export class PoolRefusal extends Error {
  override readonly name = 'PoolRefusal';
  readonly code: PoolProblem;

  constructor(code: PoolProblem, detail?: string) {
    super(detail === undefined ? code : `${code}: ${detail}`);
    this.code = code;
  }
}

export type PoolProblem =
  | 'transaction type not supported'
  | 'oversized data'
  | 'only replay-protected (EIP-155) transactions allowed over RPC'
  | 'invalid chain id for signer'
  | 'exceeds block gas limit'
  | 'transaction gas limit too high'
  | 'max priority fee per gas higher than max fee per gas'
  | 'intrinsic gas too low'
  | 'insufficient gas for floor data gas cost'
  | 'max initcode size exceeded'
  | 'set code tx must have at least one authorization tuple'
  | 'transaction underpriced'
  | 'sender not an eoa'
  | 'nonce too low'
  | 'insufficient funds for gas * price + value'
  | 'already known'
  | 'replacement transaction underpriced'
  | 'account limit exceeded'
  | 'txpool is full';
