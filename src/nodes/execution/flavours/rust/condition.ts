import { RPC_CODE, RpcError } from '../../../../rpc/error.ts';
import type { Chain } from '../../chain/chain.ts';
import { brokenByState, conditionCost, type TransactionCondition } from '../../pool/condition/condition.ts';
import { stateFor } from '../../pool/condition/condition-state.ts';

/** Lookups that one condition may take. */
const MAX_COST = 5000;

/**
 * Checks a condition as op-reth does: the state of the head, and upper bounds that have passed.
 * Counterparts in op-reth: `send_raw_transaction_conditional`, `validate_known_accounts`. @throws RpcError
 */
export function checkRustCondition(condition: TransactionCondition, chain: Chain): void {
  if (conditionCost(condition) > MAX_COST)
    throw new RpcError(RPC_CODE.invalidParams, 'conditional cost exceeded maximum allowed');
  const { header } = chain.head;
  const { blockNumberMax, timestampMax } = condition;
  if (
    (blockNumberMax !== undefined && BigInt(header.number) >= blockNumberMax) ||
    (timestampMax !== undefined && header.timestamp >= timestampMax)
  )
    throw new RpcError(RPC_CODE.invalidParams, 'invalid conditional parameters');
  const problem = brokenByState(condition, stateFor(chain.stateOf(header)));
  if (problem !== undefined)
    throw new RpcError(
      RPC_CODE.invalidParams,
      problem.kind === 'root' ? 'storage root mismatch' : 'storage value mismatch',
    );
}
