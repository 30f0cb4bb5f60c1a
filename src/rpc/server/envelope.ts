import { RPC_CODE, RpcError } from '../error.ts';

/** Error responses of a server outside its methods. The JSON-RPC libraries of the field's servers differ here. */
export interface Envelope {
  /** The text is not JSON. */
  parseError(): RpcError;
  /** The JSON is not a request. `hasId`: the response can carry its id; `isAlone`: it is not part of a batch. */
  invalidRequest(hasId: boolean, isAlone: boolean): RpcError;
  emptyBatch(): RpcError;
  methodNotFound(method: string): RpcError;
  /** `problem`: the wrong parameter and its fault. */
  invalidParams(problem: string): RpcError;
  /** Extra parameters are ignored instead of refused. */
  readonly ignoresExtraParams: boolean;
  /** Requests without id are run; else they are dropped. */
  readonly runsNotifications: boolean;
  batchTooLarge(limit: number): RpcError;
  responseTooLarge(limit: number): RpcError;
  /** All responses of a batch together. */
  batchResponseTooLarge(limit: number): RpcError;
  /** A batch over a limit gets one error; else the responses that fit are returned with it. */
  readonly refusesBatchWhole: boolean;
  /** The JSON-RPC error for a body over the limit; undefined: an HTTP status, and the end of a WebSocket. */
  bodyTooLarge?(limit: number): RpcError;
  /** The answer to an HTTP GET. */
  readonly get: { readonly status: number; readonly body: string };
}

/** Responses of go-ethereum's `rpc` package, which geth and op-node use. */
export const STANDARD_ENVELOPE: Envelope = {
  parseError: () => new RpcError(RPC_CODE.parse, 'parse error'),
  invalidRequest: () => new RpcError(RPC_CODE.invalidRequest, 'invalid request'),
  emptyBatch: () => new RpcError(RPC_CODE.invalidRequest, 'empty batch'),
  methodNotFound: (method) =>
    new RpcError(RPC_CODE.methodNotFound, `the method ${method} does not exist/is not available`),
  invalidParams: (problem) => new RpcError(RPC_CODE.invalidParams, problem),
  ignoresExtraParams: false,
  runsNotifications: true,
  batchTooLarge: () => new RpcError(RPC_CODE.invalidRequest, 'batch too large'),
  responseTooLarge: () => new RpcError(-32003, 'response too large'),
  batchResponseTooLarge: () => new RpcError(-32003, 'response too large'),
  refusesBatchWhole: false,
  get: { status: 200, body: '' },
};
