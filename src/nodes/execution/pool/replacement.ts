import type { SignedTransaction } from '../transaction/transaction.ts';
import type { PoolBehaviour } from './behaviour.ts';
import { reject } from './pool-error.ts';

/**
 * Checks that a transaction may replace the pooled one of its sender and nonce: it has to outbid it.
 * `priceBump`: percent by which its prices have to be higher.
 * @throws PoolError `replacement underpriced` (geth: `list.Add`, reth: `is_underpriced`)
 */
export function checkReplacement(
  { outbids }: Pick<PoolBehaviour, 'outbids'>,
  next: SignedTransaction,
  pooled: SignedTransaction | undefined,
  priceBump: number,
): void {
  if (pooled !== undefined && !outbids(next, pooled, priceBump)) reject({ kind: 'replacement underpriced' });
}
