import type { Hex } from '../../../protocol/types.ts';
import type { RpcError } from '../../../rpc/error.ts';
import type { Envelope } from '../../../rpc/server/envelope.ts';
import type { CallErrors, CallFlavour } from '../call/context.ts';
import type { TraceBehaviour } from '../tracing/behaviour.ts';
import type { TraceContext } from '../tracing/context.ts';
import type { TransactionInvalid } from '../transaction/errors.ts';
import type { ViewBehaviour } from '../views/behaviour.ts';
import type { BlockErrors } from './block-tag.ts';

/** Parts of the node that queries of the stored chain use. */
export interface QueryContext extends TraceContext {
  readonly flavour: QueryFlavour;
  readonly limits: QueryLimits;
}

/** Parts of a flavour that queries use. */
export interface QueryFlavour extends CallFlavour {
  readonly views: ViewBehaviour;
  readonly tracing: TraceBehaviour;
  readonly errors: QueryErrors;
  /** JSON-RPC behaviour outside the methods: parse errors, batches, sizes. */
  readonly envelope: Envelope;
  /** A filter position without a topic matches a log that has no topic there. */
  readonly emptyTopicsMatch: boolean;
  /** A query for an unset safe or finalized block answers null instead of an error. */
  readonly unsetLabelIsNull: boolean;
}

/** Errors of queries whose message or code differs between the clients. */
export interface QueryErrors extends CallErrors, BlockErrors {
  /** A log query ends after the newest block. Absent: the query ends at the newest block. */
  logsBeyondHead?(): RpcError;
  /** A traced call names a transaction of its block by an index that the block lacks. */
  callBeyondBlock(index: number, block: Hex, count: number): RpcError;
  /** A call of eth_simulateV1 that cannot run. `code`: that of execution-apis for the problem, if it has one. */
  simulationRejected(problem: TransactionInvalid, code: number | undefined): RpcError;
}

/** Limits of a query and its response. Infinity: no limit. */
export interface QueryLimits {
  /** Bytes of one response. */
  readonly response: number;
  /** Concurrent filters, and milliseconds after which an unpolled one is removed. */
  readonly filters: number;
  readonly filterLifetime: number;
  /** Block range of a log query, and logs in its response. */
  readonly logRange: number;
  readonly logs: number;
  /** Addresses, and topics of one position, in a log query. */
  readonly logAddresses: number;
  readonly logTopics: number;
  /** Gas of a call, and its time limit in milliseconds. */
  readonly gasCap: bigint;
  readonly callTime: number;
  /** Blocks of an eth_simulateV1 request. */
  readonly simulatedBlocks: number;
  /** Seconds between blocks of an eth_simulateV1 request that state no time (geth: `timestampIncrement`). */
  readonly simulatedBlockTime: number;
}
