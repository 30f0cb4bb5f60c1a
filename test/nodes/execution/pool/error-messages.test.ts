import { expect, it } from 'vitest';
import type { PoolErrorKind } from '../../../../src/nodes/execution/pool/error-kind.ts';
import { poolErrorMessage } from '../../../../src/nodes/execution/pool/error-messages.ts';

const FUNDS = 'insufficient funds for gas * price + value';

/** The messages of op-geth: `core/txpool/errors.go`, `core/error.go`, `core/types/transaction_signing.go`. */
it.each<[PoolErrorKind, string]>([
  [{ kind: 'known' }, 'already known'],
  [{ kind: 'type', type: 3 }, 'transaction type not supported'],
  [{ kind: 'type', type: 4 }, 'transaction type not supported: type 4 rejected, pool not yet in Prague'],
  [{ kind: 'blobs', why: 'missing sidecar in blob transaction' }, 'missing sidecar in blob transaction'],
  [{ kind: 'oversized', size: 131_073, limit: 131_072 }, 'oversized data: transaction size 131073, limit 131072'],
  [{ kind: 'init code', size: 9, limit: 8 }, 'max initcode size exceeded: code size 9, limit 8'],
  [{ kind: 'gas over transaction cap', gas: 9n, cap: 8n }, 'transaction gas limit too high (cap: 8, tx: 9)'],
  [
    { kind: 'gas over option', gas: 9n, limit: 8n },
    'exceeds maximum per-transaction gas limit: transaction gas 9, limit 8',
  ],
  [{ kind: 'gas over block limit', gas: 9n, limit: 8n }, 'exceeds block gas limit'],
  [
    { kind: 'fee over option', fee: 1_050_000_000_000_000_000n, cap: 10n ** 18n },
    'tx fee (1.05 ether) exceeds the configured cap (1.00 ether)',
  ],
  [{ kind: 'unprotected' }, 'only replay-protected (EIP-155) transactions allowed over RPC'],
  [{ kind: 'tip over fee cap' }, 'max priority fee per gas higher than max fee per gas'],
  [{ kind: 'chain id', have: 1n, want: 901 }, 'invalid sender: invalid chain id for signer: have 1 want 901'],
  [{ kind: 'last nonce' }, 'nonce has max value'],
  [{ kind: 'intrinsic gas', gas: 8n, least: 9n }, 'intrinsic gas too low: gas 8, minimum needed 9'],
  [{ kind: 'floor gas', gas: 8n, least: 9n }, 'insufficient gas for floor data gas cost: gas 8, minimum needed 9'],
  [
    { kind: 'tip below option', tip: 8n, least: 9n },
    'transaction gas price below minimum: gas tip cap 8, minimum needed 9',
  ],
  [{ kind: 'fee cap below option' }, 'transaction underpriced'],
  [{ kind: 'underpriced' }, 'transaction underpriced'],
  [{ kind: 'no authorizations' }, 'set code tx must have at least one authorization tuple'],
  [{ kind: 'sender has code', sender: '0x0a', size: 2 }, 'sender not an eoa: address 0x0a, len(code): 2'],
  [{ kind: 'nonce too low', next: 3n, nonce: 2n }, 'nonce too low: next nonce 3, tx nonce 2'],
  [{ kind: 'funds', balance: 5n, cost: 7n }, `${FUNDS}: balance 5, tx cost 7, overshot 2`],
  [
    { kind: 'funds of all', balance: 5n, pendingCost: 3n, cost: 7n },
    `${FUNDS}: balance 5, queued cost 3, tx cost 7, overshot 5`,
  ],
  [
    { kind: 'funds of bump', balance: 5n, pendingCost: 3n, bump: 7n },
    `${FUNDS}: balance 5, queued cost 3, tx bumped 7, overshot 5`,
  ],
  [{ kind: 'gap of delegated' }, 'gapped-nonce tx from delegated accounts'],
  [{ kind: 'second of delegated' }, 'in-flight transaction limit reached for delegated accounts'],
  [{ kind: 'authority reserved' }, 'authority already reserved'],
  [{ kind: 'replacement underpriced' }, 'replacement transaction underpriced'],
  [{ kind: 'gapped replaces pending' }, 'future transaction tries to replace pending'],
  [{ kind: 'account full', pooled: 64 }, 'account limit exceeded: pooled 64 txs'],
  [{ kind: 'full' }, 'txpool is full'],
])('the message of %o is that of op-geth', (problem, message) => {
  expect(poolErrorMessage(problem)).toBe(message);
});
