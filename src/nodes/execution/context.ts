import type { Logger } from '../../system/log.ts';
import type { Chain } from './chain/chain.ts';
import type { DaLimits } from './engine/da-limits.ts';
import type { Engine } from './engine/engine.ts';
import type { Flavour } from './flavour.ts';
import type { Limits } from './limits.ts';
import type { TransactionGate } from './pool/gate.ts';
import type { TransactionPool } from './pool/pool.ts';
import type { Filters } from './query/filters.ts';

/** What the node's RPC methods work on. */
export interface NodeContext {
  readonly chain: Chain;
  readonly engine: Engine;
  readonly pool: TransactionPool;
  readonly filters: Filters;
  readonly flavour: Flavour;
  readonly log: Logger;
  readonly version: string;
  readonly limits: Limits;
  /** What `miner_setMaxDASize` sets, and the block builder keeps to. */
  readonly daLimits: DaLimits;
  /** Where users' transactions come in. */
  readonly gate: TransactionGate;
  /** eth_sendRawTransactionConditional is served. */
  readonly conditional: boolean;
  /** Milliseconds that eth_sendRawTransactionSync waits for a receipt, and the most that it can be asked to. */
  readonly waits: { readonly standard: number; readonly most: number };
  /** Namespaces that the HTTP server answers, for rpc_modules. */
  readonly namespaces: readonly string[];
}
