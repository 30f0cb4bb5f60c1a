import type { RpcErrorFields } from '../../pool/behaviour.ts';
import type { PoolErrorKind } from '../../pool/error-kind.ts';

const INVALID_INPUT = -32000;
const REJECTED = -32003;

/**
 * Returns op-reth's error for a rejected transaction. The code depends on the class of the error.
 * Counterparts in reth: `RpcPoolError`, `InvalidPoolTransactionError`.
 */
export function poolRpcError(problem: PoolErrorKind): RpcErrorFields {
  switch (problem.kind) {
    case 'known':
      return input('already known');
    case 'type':
      return rejected('transaction type not supported');
    case 'blobs':
      return input(problem.why);
    case 'oversized':
      return input(`oversized data: transaction size ${problem.size}, limit ${problem.limit}`);
    case 'init code':
      return input('max initcode size exceeded');
    case 'gas over transaction cap':
      return rejected('gas limit too high');
    case 'gas over option':
      return input('exceeds max transaction gas limit');
    case 'gas over block limit':
      return input('exceeds block gas limit');
    case 'fee over option':
      return input(`tx fee (${problem.fee} wei) exceeds the configured cap (${problem.cap} wei)`);
    case 'unprotected':
    case 'chain id':
      return input('invalid chain ID');
    case 'tip over fee cap':
      return rejected('max priority fee per gas higher than max fee per gas');
    case 'last nonce':
      return rejected('nonce has max value');
    case 'intrinsic gas':
    case 'floor gas':
      return input('intrinsic gas too low');
    case 'tip below option':
      return rejected(`transaction priority fee below minimum required priority fee ${problem.least}`);
    case 'fee cap below option':
    case 'underpriced':
      return input('transaction underpriced');
    case 'no authorizations':
      return input('no items in authorization list for EIP7702 transaction');
    case 'sender has code':
      return rejected('sender is not an EOA');
    case 'nonce too low':
      return input(`nonce too low: next nonce ${problem.next}, tx nonce ${problem.nonce}`);
    case 'funds':
      return rejected(insufficientFunds(problem.balance, problem.cost));
    case 'funds of all':
      return rejected(insufficientFunds(problem.balance, problem.pendingCost + problem.cost));
    case 'funds of bump':
      return rejected(insufficientFunds(problem.balance, problem.pendingCost + problem.bump));
    case 'gap of delegated':
      return input('gapped-nonce tx from delegated accounts');
    case 'second of delegated':
      return input('in-flight transaction limit reached for delegated accounts');
    case 'authority reserved':
      return input('authority already reserved');
    case 'replacement underpriced':
      return input('replacement transaction underpriced');
    case 'gapped replaces pending':
    case 'account full':
    case 'full':
      return rejected('txpool is full');
  }
}

function input(message: string): RpcErrorFields {
  return { code: INVALID_INPUT, message };
}

function rejected(message: string): RpcErrorFields {
  return { code: REJECTED, message };
}

function insufficientFunds(balance: bigint, cost: bigint): string {
  return `insufficient funds for gas * price + value: have ${balance} want ${cost}`;
}
