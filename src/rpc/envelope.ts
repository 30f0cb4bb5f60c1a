import { RPC_CODE, RpcError } from './error.ts';

/** What a server answers where a request fails before its method, or after it. The libraries that servers of the field stand on differ here. */
export interface Envelope {
  /** Text that is no JSON. */
  parseError(): RpcError;
  /** JSON that is no request. `hasId`: it has an id that the answer can carry; `isAlone`: it stands in no batch. */
  invalidRequest(hasId: boolean, isAlone: boolean): RpcError;
  emptyBatch(): RpcError;
  methodNotFound(method: string): RpcError;
  /** `problem`: which parameter is wrong, and how. */
  invalidParams(problem: string): RpcError;
  /** Parameters beyond those of the method are passed over instead of refused. */
  readonly ignoresExtraParams: boolean;
  /** Requests without id are run; else they are thrown away. */
  readonly runsNotifications: boolean;
  batchTooLarge(limit: number): RpcError;
  responseTooLarge(limit: number): RpcError;
  /** All answers of a batch together. */
  batchResponseTooLarge(limit: number): RpcError;
  /** A batch over a limit is answered by that one error alone; else what fits stands beside it in a list. */
  readonly refusesBatchWhole: boolean;
  /** The JSON-RPC error that a body over the limit is answered with; undefined: HTTP's status and words, and the end of a WebSocket. */
  bodyTooLarge?(limit: number): RpcError;
  /** What an HTTP GET is answered with. */
  readonly get: { readonly status: number; readonly body: string };
}

/** As go-ethereum's `rpc` package answers, on which its execution client and the field's rollup node stand. */
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
