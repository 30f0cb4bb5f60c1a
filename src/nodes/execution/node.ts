import { httpClient } from '../../rpc/client/http-client.ts';
import type { Channel } from '../../system/channel/channel.ts';
import type { Chain } from './chain/chain.ts';
import { executionCheckpoints } from './checkpoints.ts';
import { BadBlocks } from './engine/bad-blocks.ts';
import type { DaLimits } from './engine/da-limits.ts';
import { Engine } from './engine/engine.ts';
import { ExecutionBudget } from './evm/execution-budget.ts';
import { prepareLoop } from './evm/instances.ts';
import { Scheduler } from './evm/scheduler.ts';
import type { Limits } from './flavours/interface/limits.ts';
import type { NodeContext } from './methods/context.ts';
import type { TransactionOrder } from './pool/best-transactions.ts';
import type { TransactionPool } from './pool/pool.ts';
import { openPool, type PoolOptions } from './pool/service.ts';
import { type SubmissionOptions, TransactionSubmission } from './pool/submission.ts';
import { Filters } from './query/filters.ts';
import { type Ports, type ServerSettings, Servers } from './servers.ts';

/** Parts and settings of a node (geth: `node.Config`, reth: `NodeConfig`). */
export interface NodeOptions extends ServerSettings {
  readonly chain: Chain;
  /** Its supervisor takes checkpoints of the node and restores them. */
  readonly channel?: Channel;
  readonly version: string;
  readonly submission: SubmissionOptions;
  readonly conditional: boolean;
  readonly receiptTimeouts: NodeContext['receiptTimeouts'];
  /** RPC URLs of execution clients that missing blocks are fetched from. */
  readonly peers?: readonly string[];
  readonly pool: PoolOptions;
  /** Order of pool transactions in a block; default: best-tip. */
  readonly order?: TransactionOrder;
  /** Default: the limits of the flavour. */
  readonly limits?: Limits;
}

/** A running execution client. */
export interface ExecutionNode {
  readonly ports: Ports;
  readonly context: NodeContext;
  close(): Promise<void>;
}

/** Maximum bytes of a peer's response: sixteen blocks of maximum size in hex. */
const MAX_PEER_ANSWER = 256 * 1024 * 1024;

/**
 * Creates the parts of the node and opens its ports.
 * @throws Failure if a port is in use or an API unknown
 */
export async function startNode(options: NodeOptions): Promise<ExecutionNode> {
  const { chain, channel } = options;
  const transactions = openPool(chain, options.flavour.pool, options.pool, options.log);
  const context = contextOf(options, transactions.pool);
  channel?.onCheckpoints(executionCheckpoints(context, transactions));
  channel?.onFlush(async () => {
    chain.store.checkpoint();
    transactions.rewrite();
  });
  const reads = new Scheduler(() => context.engine.isBusy);
  const servers = new Servers(options, context, reads);
  const close = async () => {
    reads.close();
    await servers.close();
    await context.engine.close();
    context.submission.close();
    transactions.close();
    channel?.close();
    chain.store.close();
  };
  try {
    const ports = await servers.open();
    setImmediate(prepareLoop);
    return { ports, context, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function contextOf(options: NodeOptions, pool: TransactionPool): NodeContext {
  const { chain, flavour, log, version, conditional, receiptTimeouts } = options;
  const limits = options.limits ?? flavour.limits;
  const daLimits: DaLimits = { transaction: undefined, block: undefined };
  const peers = (options.peers ?? []).map((url) => httpClient({ url, maxAnswer: MAX_PEER_ANSWER }));
  const badBlocks = new BadBlocks(flavour.badBlocks);
  return {
    chain,
    limits,
    newBudget: (limitMs) => new ExecutionBudget(limitMs),
    daLimits,
    pool,
    flavour,
    log,
    version,
    engine: new Engine(chain, pool, log, peers, daLimits, badBlocks, options.order ?? 'best-tip'),
    filters: new Filters(chain, pool, limits),
    namespaces: (options.http?.api ?? []).filter((namespace) => flavour.namespaces.includes(namespace)),
    submission: new TransactionSubmission(pool, options.submission, log),
    conditional,
    receiptTimeouts,
  };
}
