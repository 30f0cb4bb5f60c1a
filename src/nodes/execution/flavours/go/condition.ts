import { RPC_CODE, RpcError } from '../../../../rpc/error.ts';
import type { Chain } from '../../chain/chain.ts';
import {
  brokenByHeader,
  brokenByState,
  conditionCost,
  contradiction,
  type StateProblem,
  type TransactionCondition,
} from '../../pool/condition/condition.ts';
import { stateFor } from '../../pool/condition/condition-state.ts';

const REJECTED = -32003;

/** Lookups that one condition may take. */
const MAX_COST = 1000;

/**
 * Checks a condition as op-geth does before it pools or forwards the transaction.
 * Counterpart in op-geth: `SendRawTransactionConditional`.
 * State is checked at the head and at its parent, so that knowledge of the newest block alone is not enough.
 * @throws RpcError
 */
export function checkGoCondition(condition: TransactionCondition, chain: Chain): void {
  const cost = conditionCost(condition);
  if (cost > MAX_COST)
    throw new RpcError(RPC_CODE.limitExceeded, `conditional cost, ${cost}, exceeded max: ${MAX_COST}`);
  const wrong = contradiction(condition);
  if (wrong !== undefined) throw new RpcError(REJECTED, `failed conditional validation: ${wrong}`);
  const { header } = chain.head;
  const broken = brokenByHeader(condition, BigInt(header.number), header.timestamp);
  if (broken !== undefined) throw new RpcError(REJECTED, `failed header check: ${broken}`);
  const problem = brokenByState(condition, stateFor(chain.stateOf(header)));
  if (problem !== undefined) throw new RpcError(REJECTED, `failed state check: ${problemText(problem)}`);
  const parent = header.number === 0 ? undefined : chain.header(header.parentHash);
  const before = parent === undefined ? undefined : brokenByState(condition, stateFor(chain.stateOf(parent)));
  if (before !== undefined)
    throw new RpcError(REJECTED, `failed parent block ${header.parentHash} state check: ${problemText(before)}`);
}

function problemText(problem: StateProblem): string {
  const { actual, expected } = problem;
  return problem.kind === 'root'
    ? `failed account storage root constraint. Got ${actual}, Expected ${expected}`
    : `failed account storage slot key ${problem.slot} constraint. Got ${actual}, Expected ${expected}`;
}
