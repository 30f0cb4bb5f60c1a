import type { Logger } from '../../system/log.ts';
import type { Chain } from './chain/chain.ts';
import type { DaLimits } from './engine/da-limits.ts';
import type { Engine } from './engine/engine.ts';
import type { Flavour } from './flavour.ts';
import type { Limits } from './limits.ts';
import type { TransactionPool } from './pool/pool.ts';
import type { TransactionSubmission } from './pool/submission.ts';
import type { Filters } from './query/filters.ts';

/** What methods work on that need nothing but the stored chain. */
export interface ReadContext {
  readonly chain: Chain;
  readonly flavour: Flavour;
  readonly limits: Limits;
}

/** What the node's RPC methods work on. */
export interface NodeContext extends ReadContext {
  readonly engine: Engine;
  readonly pool: TransactionPool;
  readonly filters: Filters;
  readonly log: Logger;
  readonly version: string;
  /** What `miner_setMaxDASize` sets, and the block builder keeps to. */
  readonly daLimits: DaLimits;
  /** Where users' transactions come in. */
  readonly submission: TransactionSubmission;
  /** eth_sendRawTransactionConditional is served. */
  readonly conditional: boolean;
  /** Milliseconds that eth_sendRawTransactionSync waits for a receipt, and the most that it can be asked to. */
  readonly receiptTimeouts: { readonly standard: number; readonly most: number };
  /** Namespaces that the HTTP server answers, for rpc_modules. */
  readonly namespaces: readonly string[];
}
