import type { Logger } from '../../../system/program/log.ts';
import type { DaLimits } from '../engine/da-limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { Flavour } from '../flavours/interface/flavour.ts';
import type { Limits } from '../flavours/interface/limits.ts';
import type { TransactionPool } from '../pool/pool.ts';
import type { TransactionSubmission } from '../pool/submission.ts';
import type { QueryContext } from '../query/context.ts';
import type { Filters } from '../query/filters.ts';

/** Parts of the node that methods on the stored chain read (geth: `ethapi.Backend`, reth: `RpcNodeCore`). */
export interface ReadContext extends QueryContext {
  readonly flavour: Flavour;
  readonly limits: Limits;
}

/** Parts of the node that all RPC methods use (geth: `EthAPIBackend`). */
export interface NodeContext extends ReadContext {
  readonly engine: Engine;
  readonly pool: TransactionPool;
  readonly filters: Filters;
  readonly log: Logger;
  readonly version: string;
  /** Limits that `miner_setMaxDASize` sets for the payload builder. */
  readonly daLimits: DaLimits;
  /** Submits the transactions of users. */
  readonly submission: TransactionSubmission;
  /** eth_sendRawTransactionConditional is served. */
  readonly conditional: boolean;
  /** Timeouts of eth_sendRawTransactionSync in milliseconds: the default and the maximum. */
  readonly receiptTimeouts: { readonly standard: number; readonly most: number };
  /** Namespaces that the HTTP server serves, for rpc_modules. */
  readonly namespaces: readonly string[];
}
