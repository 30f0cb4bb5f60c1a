import { RPC_CODE, RpcError } from '../../../../rpc/error.ts';
import type { Envelope } from '../../../../rpc/server/envelope.ts';

const exceeded = (limit: number) => `Exceeded max limit of ${limit}`;

/** Errors of jsonrpsee, the JSON-RPC server of op-reth. */
export const RUST_ENVELOPE: Envelope = {
  parseError: () => new RpcError(RPC_CODE.parse, 'Parse error'),
  // jsonrpsee answers a single request without an id as unparsable.
  invalidRequest: (hasId, isAlone) =>
    isAlone && !hasId
      ? new RpcError(RPC_CODE.parse, 'Parse error')
      : new RpcError(RPC_CODE.invalidRequest, 'Invalid request'),
  emptyBatch: () => new RpcError(RPC_CODE.invalidRequest, 'Invalid request'),
  methodNotFound: () => new RpcError(RPC_CODE.methodNotFound, 'Method not found'),
  invalidParams: (problem) => new RpcError(RPC_CODE.invalidParams, 'Invalid params', problem),
  ignoresExtraParams: true,
  runsNotifications: false,
  batchTooLarge: (limit) => new RpcError(-32010, 'The batch request was too large', exceeded(limit)),
  responseTooLarge: (limit) => new RpcError(-32008, 'Response is too big', exceeded(limit)),
  batchResponseTooLarge: (limit) => new RpcError(-32011, 'The batch response was too large', exceeded(limit)),
  refusesBatchWhole: true,
  bodyTooLarge: (limit) => new RpcError(-32007, 'Request is too big', exceeded(limit)),
  get: { status: 405, body: 'Used HTTP Method is not allowed. POST is required\n' },
};
