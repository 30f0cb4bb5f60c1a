import type { StateRetention } from '../../chain/chain.ts';
import type { BadBlockRetention } from '../../engine/bad-blocks.ts';
import type { PoolBehaviour } from '../../pool/behaviour.ts';
import type { QueryFlavour } from '../../query/context.ts';
import type { SyncProgress } from '../../sync/backfill.ts';
import type { WitnessBehaviour } from '../../witness/behaviour.ts';
import type { Limits } from './limits.ts';
import type { RpcErrors } from './rpc-errors.ts';

/** Names the execution client that this process behaves as: op-reth or op-geth. */
export type FlavourName = 'rust' | 'go';

/**
 * Holds every difference between op-geth and op-reth. Each client is one folder beside this one's.
 * Consensus rules do not depend on the flavour.
 */
export interface Flavour extends QueryFlavour {
  readonly name: FlavourName;
  /** RPC namespaces that the options may enable, and those served by default. */
  readonly namespaces: readonly string[];
  readonly defaultApi: readonly string[];
  /** Namespaces of the real client that this program does not serve. A request for one is logged and ignored. */
  readonly unservedApi: readonly string[];
  readonly pool: PoolBehaviour;
  /** Methods of the enabled namespaces that this client lacks. */
  readonly lacks: readonly string[];
  /** States that `--gcmode=full` keeps. undefined: the client has no such option. */
  readonly pruned: StateRetention | undefined;
  /** `rpc_modules` exists. */
  readonly rpcModules: boolean;
  /** `eth_unsubscribe` answers false for an unknown subscription instead of an error. */
  readonly unknownSubscriptionIsFalse: boolean;
  readonly badBlocks: BadBlockRetention;
  readonly witness: WitnessBehaviour;
  readonly errors: RpcErrors;
  readonly limits: Limits;
  /** Returns the answer of `eth_syncing`. `head` is the number of the newest block. */
  syncing(head: number, progress: SyncProgress | undefined): unknown;
  /** Returns the notification of the `syncing` subscription. */
  syncNotice(progress: SyncProgress | undefined): unknown;
  /** Name in the answer of `web3_clientVersion`. */
  readonly clientName: string;
  /** Two letters for `engine_getClientVersionV1`. */
  readonly code: string;
}
