import { type Checkpoints, createCheckpoints } from '../../system/channel/checkpoints.ts';
import type { ChainCheckpoint } from './chain/chain.ts';
import type { NodeContext } from './methods/context.ts';
import type { PoolService } from './pool/service.ts';

/** The state of an execution client at one time. */
interface ExecutionCheckpoint {
  readonly chain: ChainCheckpoint;
  readonly pool: ReturnType<PoolService['pool']['entries']>;
}

/**
 * Creates the checkpoints of an execution client. Every state stays on disk, so a checkpoint is its labels and its
 * pool. The rollup node is suspended before, and sends no request meanwhile.
 */
export function executionCheckpoints(
  { chain, engine, filters }: Pick<NodeContext, 'chain' | 'engine' | 'filters'>,
  transactions: PoolService,
): Checkpoints {
  return createCheckpoints<ExecutionCheckpoint>({
    take: () => ({ chain: chain.checkpoint(), pool: transactions.pool.entries() }),
    suspend() {},
    restore: (checkpoint) =>
      engine.restore(() => {
        chain.restore(checkpoint.chain);
        transactions.replace(checkpoint.pool);
        filters.forgetChanges();
      }),
    resume() {},
  });
}
