import type { Chain } from '../chain/chain.ts';
import type { ExecutionBudget } from '../evm/execution-budget.ts';

/** Parts of the node that executing a stored block again needs. */
export interface TraceContext {
  readonly chain: Chain;
  /** Creates the budget of a part of this request. Default: its time is unlimited. */
  readonly newBudget: (limitMs?: number) => ExecutionBudget;
}
