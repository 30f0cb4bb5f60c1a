import type { Fault } from '../../../evm/machine/state.ts';
import type { RpcError } from '../../../rpc/error.ts';
import type { Chain } from '../chain/chain.ts';
import type { TransactionInvalid } from '../transaction/errors.ts';

/** Parts of the node that calls use. */
export interface CallContext {
  readonly chain: Chain;
  readonly flavour: CallFlavour;
  readonly limits: {
    /** Maximum gas of a call. */
    readonly gasCap: bigint;
  };
}

/** Parts of a flavour that calls use. */
export interface CallFlavour {
  readonly calls: CallBehaviour;
  readonly errors: CallErrors;
}

/** Holds the differences between op-geth and op-reth in eth_call and the methods that build on it. */
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

/** The outcome of a failed call. */
export interface FailedCall {
  readonly failure?: string;
  /** The opcode with which its outermost frame failed. */
  readonly fault?: Fault;
  readonly returnValue: Uint8Array;
  readonly gasLimit: bigint;
}

/** Errors of calls whose message or code differs between the clients. */
export interface CallErrors {
  /** A call fails its checks before it runs. */
  callRejected(problem: TransactionInvalid): RpcError;
  /** A call ran and failed. */
  callFailed(result: FailedCall): RpcError;
  /** A call failed with the highest gas limit that `eth_estimateGas` may try. */
  estimateFailed(result: FailedCall): RpcError;
  /** Returns the `error` field of `eth_createAccessList` for a call that failed. */
  accessListFailure(result: FailedCall): string;
}
