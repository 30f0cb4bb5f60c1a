import { type Points, pointsOf } from '../../system/time/checkpoints.ts';
import type { ChainPoint } from './chain/chain.ts';
import type { NodeContext } from './methods/context.ts';
import type { PoolService } from './pool/service.ts';

/** A moment of the execution client. */
interface ExecutionPoint {
  readonly chain: ChainPoint;
  readonly pool: ReturnType<PoolService['pool']['entries']>;
}

/**
 * Creates the moments that an execution client can go back to. Every state stays on disk, so a moment is its labels and
 * its pool. The rollup node is suspended before, and sends no request meanwhile.
 */
export function executionPoints(
  { chain, engine, filters }: Pick<NodeContext, 'chain' | 'engine' | 'filters'>,
  transactions: PoolService,
): Points {
  return pointsOf<ExecutionPoint>({
    remember: () => ({ chain: chain.point(), pool: transactions.pool.entries() }),
    suspend() {},
    restore: (point) =>
      engine.returnTo(() => {
        chain.returnTo(point.chain);
        transactions.replace(point.pool);
        filters.forgetChanges();
      }),
    resume() {},
  });
}
