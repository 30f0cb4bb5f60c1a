import type { RpcError } from '../../../../rpc/error.ts';
import type { TransactionInvalid } from '../../block/errors.ts';
import type { BlockTag } from '../../query/block-tag.ts';

/** The outcome of a failed call. */
export interface FailedCall {
  readonly failure?: string;
  readonly returnValue: Uint8Array;
  readonly gasLimit: bigint;
}

/** Errors whose message or code differs between the clients (reth: `EthApiError`). */
export interface RpcErrors {
  /** A block that a query names is unknown, or not canonical. */
  blockNotFound(tag: BlockTag, notCanonical?: boolean): RpcError;
  /** A call fails its checks before it runs. */
  callRejected(problem: TransactionInvalid): RpcError;
  /** A call of eth_simulateV1 that cannot run. `code`: that of execution-apis for the problem, where it has one. */
  simulationRejected(problem: TransactionInvalid, code: number | undefined): RpcError;
  /** A call ran and failed. */
  callFailed(result: FailedCall): RpcError;
  /** A call failed with the highest gas limit that `eth_estimateGas` may try. */
  estimateFailed(result: FailedCall): RpcError;
  /** Returns the `error` field of `eth_createAccessList` for a call that failed. */
  accessListFailure(result: FailedCall): string;
  filterNotFound(): RpcError;
  /** Bytes are not a signed transaction. `detail` names the problem. */
  undecodable(raw: Uint8Array, detail?: string): RpcError;
  beyondHead(requested: number, head: number): RpcError;
  /** A log query ends after the newest block. Absent: the query ends at the newest block. */
  logsBeyondHead?(): RpcError;
  badPercentiles(): RpcError;
  /** A query names more storage slots than the limit. */
  tooManySlots(count: number, most: number): RpcError;
  /** Returns whether a storage query is empty, which is an error. */
  isEmptyStorageQuery(accounts: number, slots: number): boolean;
  unknownTopic(topic: string): RpcError;
  tooManySubscriptions(limit: number): RpcError;
  transactionNotFound(): RpcError;
}

/** Message of both clients for bytes that are not a signed transaction. */
export const UNDECODABLE = 'failed to decode signed transaction';

/** Milliseconds as both clients write durations. */
export function durationText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds}ms` : `${milliseconds / 1000}s`;
}
