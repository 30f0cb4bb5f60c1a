import type { Envelope } from '../../../../rpc/server/envelope.ts';
import type { StateRetention } from '../../chain/chain.ts';
import type { BadBlockRetention } from '../../engine/bad-blocks.ts';
import type { PoolBehaviour } from '../../pool/behaviour.ts';
import type { SyncProgress } from '../../sync/backfill.ts';
import type { TraceBehaviour } from '../../tracing/behaviour.ts';
import type { WitnessBehaviour } from '../../witness/behaviour.ts';
import type { Limits } from './limits.ts';
import type { RpcErrors } from './rpc-errors.ts';

/** Names the execution client that this process behaves as: op-reth or op-geth. */
export type FlavourName = 'rust' | 'go';

/**
 * Holds every difference between op-geth and op-reth. Each client is one folder beside this file.
 * Consensus rules do not depend on the flavour.
 */
export interface Flavour {
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
  readonly views: ViewBehaviour;
  readonly calls: CallBehaviour;
  /** A filter position without a topic matches a log that has no topic there. */
  readonly emptyTopicsMatch: boolean;
  /** A query for an unset safe or finalized block answers null instead of an error. */
  readonly unsetLabelIsNull: boolean;
  /** `eth_unsubscribe` answers false for an unknown subscription instead of an error. */
  readonly unknownSubscriptionIsFalse: boolean;
  readonly badBlocks: BadBlockRetention;
  readonly tracing: TraceBehaviour;
  readonly witness: WitnessBehaviour;
  readonly errors: RpcErrors;
  /** JSON-RPC behaviour outside the methods: parse errors, batches, sizes. */
  readonly envelope: Envelope;
  readonly limits: Limits;
  /** Returns the answer of `eth_syncing`. `head` is the number of the newest block. */
  syncing(head: number, progress: SyncProgress | undefined): unknown;
  /** Returns the notification of the `syncing` subscription. */
  syncNotice(progress: SyncProgress | undefined): unknown;
  clientVersion(version: string): string;
  /** Two letters for `engine_getClientVersionV1`. */
  readonly code: string;
}

/** Differences in the JSON of blocks, transactions and receipts. */
export interface ViewBehaviour {
  /** Headers that are shown alone carry the size of their block. */
  readonly headerSize: boolean;
  /** Transactions and logs carry the timestamp of their block. */
  readonly blockTimestamp: boolean;
  /** Deposits carry a `yParity` beside `v`, as typed transactions do. */
  readonly depositYParity: boolean;
  /** Receipts of deposits carry the L1 fee fields, with a fee of zero. */
  readonly depositL1Fields: boolean;
  /** Hashes that `eth_getProof` answers for an account that does not exist. */
  readonly absentHashes: { readonly codeHash?: Uint8Array; readonly storageRoot?: Uint8Array };
}

/** Differences in eth_call and the methods that build on it. */
export interface CallBehaviour {
  /** A call may name a `gasPrice` below the base fee. It pays that price and no tip. */
  readonly anyGasPrice: boolean;
  /**
   * A call with a price and no gas limit gets the gas that its sender can pay for.
   * At most it gets the block gas limit. Otherwise it gets the gas cap of every call. Access lists are then created
   * with the block gas limit.
   */
  readonly capsPricedCalls: boolean;
}
