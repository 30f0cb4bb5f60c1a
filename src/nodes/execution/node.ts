import { httpClient } from '../../rpc/client/http-client.ts';
import { type RunningServer, type ServerOptions, serve } from '../../rpc/server/server.ts';
import { asError, EXIT, Failure, systemCode } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { Chain } from './chain/chain.ts';
import { BadBlocks } from './engine/bad-blocks.ts';
import type { DaLimits } from './engine/da-limits.ts';
import { Engine } from './engine/engine.ts';
import { ExecutionBudget } from './evm/execution-budget.ts';
import { loadLazyEvm } from './evm/load-lazy-evm.ts';
import { Scheduler } from './evm/scheduler.ts';
import type { Flavour } from './flavours/interface/flavour.ts';
import type { Limits } from './flavours/interface/limits.ts';
import type { NodeContext } from './methods/context.ts';
import { AUTHENTICATED, isScheduled, tableOf } from './methods/namespaces.ts';
import { scheduled } from './methods/scheduled.ts';
import { testTime } from './methods/test-time.ts';
import { executionPoints } from './points.ts';
import type { TransactionOrder } from './pool/best-transactions.ts';
import { openPool, type PoolOptions } from './pool/service.ts';
import { type SubmissionOptions, TransactionSubmission } from './pool/submission.ts';
import { Filters } from './query/filters.ts';

/** One listener of the public RPC. */
interface Listener {
  readonly host: string;
  readonly port: number;
  readonly api: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly virtualHosts: readonly string[];
}

/** Parts and settings of a node (geth: `node.Config`, reth: `NodeConfig`). */
export interface NodeOptions {
  readonly chain: Chain;
  /** Its owner takes the node back to earlier moments. */
  readonly clock?: Clock;
  readonly flavour: Flavour;
  readonly log: Logger;
  readonly version: string;
  readonly http?: Listener;
  readonly websocket?: Listener;
  readonly engine: {
    readonly host: string;
    readonly port: number;
    readonly jwtSecret: Uint8Array;
    readonly virtualHosts: readonly string[];
  };
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

/** A running execution client. A port is 0 where its listener is off. */
export interface ExecutionNode {
  readonly ports: { readonly http: number; readonly websocket: number; readonly engine: number };
  readonly context: NodeContext;
  close(): Promise<void>;
}

/** Maximum bytes of a peer's response: sixteen blocks of maximum size in hex. */
const MAX_PEER_ANSWER = 256 * 1024 * 1024;

/** Limits of the authenticated port. Only memory bounds it. */
const UNLIMITED = {
  maxBody: 128 * 1024 * 1024,
  maxMessage: 128 * 1024 * 1024,
  maxResponse: Number.POSITIVE_INFINITY,
  maxBatchResponse: Number.POSITIVE_INFINITY,
};

/**
 * Creates the parts of the node and opens its ports (geth: `startRPC`).
 * @throws Failure where a port is in use or an API unknown
 */
export async function startNode(options: NodeOptions): Promise<ExecutionNode> {
  const { chain, flavour, log } = options;
  const transactions = openPool(chain, flavour.pool, options.pool, log);
  const { pool } = transactions;
  const limits = options.limits ?? flavour.limits;
  const daLimits: DaLimits = { transaction: undefined, block: undefined };
  const context: NodeContext = {
    chain,
    limits,
    newBudget: (limitMs) => new ExecutionBudget(limitMs),
    daLimits,
    pool,
    flavour,
    log,
    version: options.version,
    engine: new Engine(
      chain,
      pool,
      log,
      (options.peers ?? []).map((url) => httpClient({ url, maxAnswer: MAX_PEER_ANSWER })),
      daLimits,
      new BadBlocks(flavour.badBlocks),
      options.order ?? 'best-tip',
    ),
    filters: new Filters(chain, pool, limits),
    namespaces: (options.http?.api ?? []).filter((namespace) => flavour.namespaces.includes(namespace)),
    submission: new TransactionSubmission(pool, options.submission, log),
    conditional: options.conditional,
    receiptTimeouts: options.receiptTimeouts,
  };
  options.clock?.onPoints(executionPoints(context, transactions));
  options.clock?.onKeep(async () => {
    chain.store.checkpoint();
    transactions.rewrite();
  });
  const reads = new Scheduler(() => context.engine.isBusy);
  const methodsOf = (option: string, api: readonly string[]) =>
    scheduled(methodsIn(option, api, options), reads, isScheduled);
  const servers: RunningServer[] = [];
  const listen = async (name: string, server: Omit<ServerOptions<NodeContext>, 'context'>): Promise<number> => {
    const running = await serve({
      envelope: flavour.envelope,
      maxBody: limits.body,
      maxMessage: limits.message,
      maxBatch: limits.batch,
      maxResponse: limits.response,
      maxBatchResponse: limits.batchResponse,
      maxConnections: limits.connections,
      onInternalError: (method, error) => log.error('request failed', { method, error: asError(error) }),
      ...server,
      context,
    }).catch((cause: unknown) => {
      throw listenFailure(name, server.host, server.port, cause);
    });
    servers.push(running);
    return running.port;
  };
  const close = async () => {
    reads.close();
    await Promise.all(servers.map((server) => server.close()));
    await context.engine.close();
    context.submission.close();
    transactions.close();
    options.clock?.close();
    chain.store.close();
  };
  try {
    const { http, websocket } = options;
    const shared = http !== undefined && websocket !== undefined && http.port !== 0 && http.port === websocket.port;
    const ports = {
      engine: await listen('authrpc', {
        ...options.engine,
        methods: AUTHENTICATED,
        http: true,
        websocket: true,
        ...UNLIMITED,
      }),
      http:
        http === undefined
          ? 0
          : await listen('http', {
              ...http,
              methods: methodsOf('http.api', http.api),
              http: true,
              websocket: shared,
              ...(shared ? { websocketMethods: methodsOf('ws.api', websocket.api) } : {}),
            }),
      websocket:
        websocket === undefined || shared
          ? (websocket?.port ?? 0)
          : await listen('ws', {
              ...websocket,
              methods: methodsOf('ws.api', websocket.api),
              http: false,
              websocket: true,
            }),
    };
    setImmediate(() => void loadLazyEvm());
    return { ports, context, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the methods of the namespaces that an option names. @throws Failure `api` on an unknown namespace */
function methodsIn(option: string, api: readonly string[], { flavour, log }: NodeOptions) {
  const served = api.filter((namespace) => flavour.namespaces.includes(namespace));
  const unserved = api.filter((namespace) => flavour.unservedApi.includes(namespace));
  const unknown = api.filter((namespace) => !served.includes(namespace) && !unserved.includes(namespace));
  if (unknown.length > 0)
    throw new Failure('api', `--${option} names ${unknown.join(', ')}; served are ${flavour.namespaces.join(', ')}`, {
      data: { unknown },
      exit: EXIT.usage,
    });
  if (unserved.length > 0) log.warn('namespaces are not served', { option, namespaces: unserved.join(',') });
  return { ...tableOf(served, flavour), ...testTime };
}

function listenFailure(name: string, host: string, port: number, cause: unknown): Failure {
  const taken = systemCode(cause) === 'EADDRINUSE';
  return new Failure('listen', `cannot listen on ${host}:${port} for --${name}${taken ? ': the port is in use' : ''}`, {
    data: { name, host, port },
    exit: EXIT.lacking,
    hint: taken ? `stop the process on that port, or choose another --${name}.port` : 'check the address',
    cause,
  });
}
