import type { Hex } from '../../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../../rpc/error.ts';
import { revertError, unpackRevert } from '../../evm/revert.ts';
import { vmErrorMessage } from '../../evm/vm-error.ts';
import { type RpcErrors, UNDECODABLE } from '../interface/rpc-errors.ts';

/** Returns op-geth's error for a query of a pruned state (geth: `MissingNodeError`). */
export function stateMissing(root: Hex): RpcError {
  const message = `missing trie node ${root.slice(2)} (path ) state ${root} is not available, not found`;
  return new RpcError(RPC_CODE.server, message);
}

/** Errors with op-geth's messages and codes. */
export const GO_ERRORS: RpcErrors = {
  blockNotFound(tag, notCanonical = false) {
    if (tag === 'safe' || tag === 'finalized') return new RpcError(RPC_CODE.server, `${tag} block not found`);
    if (typeof tag !== 'object') return new RpcError(RPC_CODE.server, 'header not found');
    return new RpcError(
      RPC_CODE.server,
      notCanonical ? 'hash is not currently canonical' : 'header for hash not found',
    );
  },
  callRejected: ({ message }) => new RpcError(RPC_CODE.server, message),
  simulationRejected: ({ message }, code = RPC_CODE.internal) => new RpcError(code, `err: ${message}`),
  callFailed({ failure, fault, returnValue }) {
    if (failure === 'revert') return revertError(returnValue, unpackRevert(returnValue));
    return new RpcError(RPC_CODE.server, vmErrorMessage(failure ?? 'execution failed', fault));
  },
  estimateFailed(result) {
    if (result.failure !== 'out of gas') return GO_ERRORS.callFailed(result);
    return new RpcError(RPC_CODE.server, `gas required exceeds allowance (${result.gasLimit})`);
  },
  accessListFailure: ({ failure, fault }) => vmErrorMessage(failure ?? 'execution failed', fault),
  filterNotFound: () => new RpcError(RPC_CODE.server, 'filter not found'),
  undecodable: (_, detail = '') => new RpcError(RPC_CODE.invalidParams, UNDECODABLE + detail),
  beyondHead: (requested, head) =>
    new RpcError(RPC_CODE.server, `request beyond head block: requested ${requested}, head ${head}`),
  callBeyondBlock: (index, block) =>
    new RpcError(RPC_CODE.server, `transaction index ${index} out of range for block ${block}`),
  badPercentiles: () => new RpcError(RPC_CODE.server, 'invalid reward percentile'),
  tooManySlots: (_, most) => new RpcError(-38026, `too many slots (max ${most})`),
  isEmptyStorageQuery: (_, slots) => slots === 0,
  unknownTopic: (topic) => new RpcError(RPC_CODE.methodNotFound, `no "${topic}" subscription in eth namespace`),
  tooManySubscriptions: (limit) =>
    new RpcError(RPC_CODE.limitExceeded, `more than ${limit} subscriptions on one connection`),
  transactionNotFound: () => new RpcError(RPC_CODE.server, 'transaction not found'),
};
