import type { PoolErrorKind } from './error-kind.ts';

const FUNDS = 'insufficient funds for gas * price + value';

/** Returns op-geth's message (`core/txpool/errors.go`), which tools match. It is the message of a PoolError. */
export function poolErrorMessage(problem: PoolErrorKind): string {
  switch (problem.kind) {
    case 'known':
      return 'already known';
    case 'type':
      return problem.type === 4
        ? 'transaction type not supported: type 4 rejected, pool not yet in Prague'
        : 'transaction type not supported';
    case 'blobs':
      return problem.why;
    case 'oversized':
      return `oversized data: transaction size ${problem.size}, limit ${problem.limit}`;
    case 'init code':
      return `max initcode size exceeded: code size ${problem.size}, limit ${problem.limit}`;
    case 'gas over transaction cap':
      return `transaction gas limit too high (cap: ${problem.cap}, tx: ${problem.gas})`;
    case 'gas over option':
      return `exceeds maximum per-transaction gas limit: transaction gas ${problem.gas}, limit ${problem.limit}`;
    case 'gas over block limit':
      return 'exceeds block gas limit';
    case 'fee over option':
      return `tx fee (${ether(problem.fee)} ether) exceeds the configured cap (${ether(problem.cap)} ether)`;
    case 'unprotected':
      return 'only replay-protected (EIP-155) transactions allowed over RPC';
    case 'tip over fee cap':
      return 'max priority fee per gas higher than max fee per gas';
    case 'chain id':
      return `invalid sender: invalid chain id for signer: have ${problem.have} want ${problem.want}`;
    case 'last nonce':
      return 'nonce has max value';
    case 'intrinsic gas':
      return `intrinsic gas too low: gas ${problem.gas}, minimum needed ${problem.least}`;
    case 'floor gas':
      return `insufficient gas for floor data gas cost: gas ${problem.gas}, minimum needed ${problem.least}`;
    case 'tip below option':
      return `transaction gas price below minimum: gas tip cap ${problem.tip}, minimum needed ${problem.least}`;
    case 'fee cap below option':
    case 'underpriced':
      return 'transaction underpriced';
    case 'no authorizations':
      return 'set code tx must have at least one authorization tuple';
    case 'sender has code':
      return `sender not an eoa: address ${problem.sender}, len(code): ${problem.size}`;
    case 'nonce too low':
      return `nonce too low: next nonce ${problem.next}, tx nonce ${problem.nonce}`;
    case 'funds': {
      const { balance, cost } = problem;
      return `${FUNDS}: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`;
    }
    case 'funds of all': {
      const { balance, pendingCost, cost } = problem;
      const overshot = pendingCost + cost - balance;
      return `${FUNDS}: balance ${balance}, queued cost ${pendingCost}, tx cost ${cost}, overshot ${overshot}`;
    }
    case 'funds of bump': {
      const { balance, pendingCost, bump } = problem;
      const overshot = pendingCost + bump - balance;
      return `${FUNDS}: balance ${balance}, queued cost ${pendingCost}, tx bumped ${bump}, overshot ${overshot}`;
    }
    case 'gap of delegated':
      return 'gapped-nonce tx from delegated accounts';
    case 'second of delegated':
      return 'in-flight transaction limit reached for delegated accounts';
    case 'authority reserved':
      return 'authority already reserved';
    case 'replacement underpriced':
      return 'replacement transaction underpriced';
    case 'gapped replaces pending':
      return 'future transaction tries to replace pending';
    case 'account full':
      return `account limit exceeded: pooled ${problem.pooled} txs`;
    case 'full':
      return 'txpool is full';
  }
}

/** Formats wei as ether with two decimals. */
function ether(wei: bigint): string {
  return (Number(wei) / 1e18).toFixed(2);
}
