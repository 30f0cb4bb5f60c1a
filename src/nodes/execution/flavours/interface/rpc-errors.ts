import type { RpcError } from '../../../../rpc/error.ts';
import type { QueryErrors } from '../../query/context.ts';

/** Errors whose message or code differs between the clients (reth: `EthApiError`). */
export interface RpcErrors extends QueryErrors {
  filterNotFound(): RpcError;
  /** Bytes are not a signed transaction. `detail` names the problem. */
  undecodable(raw: Uint8Array, detail?: string): RpcError;
  beyondHead(requested: number, head: number): RpcError;
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
