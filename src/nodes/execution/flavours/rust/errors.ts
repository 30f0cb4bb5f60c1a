import { isUtf8 } from 'node:buffer';
import type { Ending, Fault } from '../../../../evm/machine/state.ts';
import { quantity } from '../../../../protocol/hex.ts';
import { RPC_CODE, RpcError } from '../../../../rpc/error.ts';
import { revertError, revertReason } from '../../evm/revert.ts';
import { OP } from '../../tracing/opcodes.ts';
import { type RpcErrors, UNDECODABLE } from '../interface/rpc-errors.ts';

/** revm's `HaltReason` by the ending of a message. A precompile has many reasons. */
const HALT_REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'code too large': 'CreateContractSizeLimit',
    'stack underflow': 'StackUnderflow',
    'stack overflow': 'StackOverflow',
    'invalid jump': 'InvalidJump',
    'invalid opcode': 'OpcodeNotFound',
    'write protection': 'StateChangeDuringStaticCall',
    'return data out of bounds': 'OutOfOffset',
    'call depth exceeded': 'CallTooDeep',
    'contract address collision': 'CreateCollision',
    'insufficient balance': 'OutOfFunds',
    'nonce overflow': 'NonceOverflow',
    'code begins with 0xef': 'CreateContractStartingWithEF',
    'initcode too large': 'CreateInitCodeSizeLimit',
  } satisfies { readonly [Failure in Ending]?: string }),
);

/** Returns revm's name of a failure. DUP and SWAP have one for too few words and for too many. */
function haltReason(failure: string, fault: Fault | undefined): string {
  if (failure === 'invalid opcode' && fault?.op === OP.INVALID) return 'InvalidFEOpcode';
  const isDeep = fault !== undefined && fault.op >= OP.DUP1 && fault.op <= OP.SWAP16;
  if (failure === 'stack underflow' && isDeep) return 'StackOverflow';
  return HALT_REASONS.get(failure) ?? failure;
}

/** Texts of alloy's `PanicKind`. */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic/unspecified error'],
  [0x01n, 'assertion failed'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'failed to convert value into enum type'],
  [0x22n, 'storage byte array incorrectly encoded'],
  [0x31n, 'called `.pop()` on an empty array'],
  [0x32n, 'array out-of-bounds access'],
  [0x41n, 'memory allocation error'],
  [0x51n, 'called an invalid internal function'],
]);

/** Returns the revert reason; data without an ABI encoding is shown if it is UTF-8 text. */
function reasonOf(data: Uint8Array): string | undefined {
  const reason = revertReason(data);
  if (reason === undefined) return data.length > 0 && isUtf8(data) ? Buffer.from(data).toString() : undefined;
  if (reason.kind === 'error') return reason.text;
  const code = reason.code.toString(16).padStart(2, '0');
  return `panic: ${PANICS.get(reason.code) ?? 'unknown code'} (0x${code})`;
}

/** reth builds a transaction of each call of a simulation (`resolve_transaction`, `TransactionConversionError`). */
const NOT_CONVERTIBLE = 'Failed to convert transaction into RPC response: Required fields missing';

/** Errors with op-reth's messages and codes (reth: `EthApiError`, `RpcInvalidTransactionError`). */
export const RUST_ERRORS: RpcErrors = {
  blockNotFound(tag) {
    const name =
      typeof tag === 'number'
        ? quantity(tag)
        : typeof tag === 'string'
          ? tag
          : `${tag.requireCanonical === true ? 'canonical hash' : 'hash'} ${tag.blockHash}`;
    return new RpcError(-32001, `block not found: ${name}`);
  },
  callRejected({ code, detail = '' }) {
    if (code === 'EIP-7702 transaction with empty auth list')
      return new RpcError(RPC_CODE.server, 'empty authorization list');
    if (code === 'max initcode size exceeded') return new RpcError(-32003, code);
    if (code !== 'insufficient funds for gas * price + value') return new RpcError(RPC_CODE.server, code);
    return new RpcError(-32003, `${code}: ${detail.slice(detail.indexOf('have'))}`);
  },
  simulationRejected(problem, code) {
    if (problem.code === 'EIP-7702 transaction cannot be used to create contract')
      return new RpcError(RPC_CODE.invalidParams, NOT_CONVERTIBLE);
    return code === undefined ? RUST_ERRORS.callRejected(problem) : new RpcError(code, `err: ${problem.message}`);
  },
  callFailed({ failure, fault, gasLimit, returnValue }) {
    if (failure === 'revert') return revertError(returnValue, reasonOf(returnValue));
    const message =
      failure === 'out of gas' || failure === 'code store out of gas'
        ? `out of gas: gas required exceeds: ${gasLimit}`
        : `EVM error: ${haltReason(failure ?? '', fault)}`;
    return new RpcError(-32003, message);
  },
  estimateFailed: (result) => RUST_ERRORS.callFailed(result),
  accessListFailure: (result) => RUST_ERRORS.callFailed(result).message,
  filterNotFound: () => new RpcError(RPC_CODE.invalidParams, 'filter not found'),
  undecodable: (raw, detail = '') =>
    new RpcError(RPC_CODE.invalidParams, raw.length === 0 ? 'empty transaction data' : UNDECODABLE + detail),
  beyondHead: (requested, head) =>
    new RpcError(RPC_CODE.invalidParams, `request beyond head block: requested ${requested}, head ${head}`),
  logsBeyondHead: () => new RpcError(RPC_CODE.invalidParams, 'block range extends beyond current head block'),
  callBeyondBlock: (index, _, count) =>
    new RpcError(RPC_CODE.invalidParams, `tx_index ${index} out of bounds for block with ${count} transactions`),
  badPercentiles: () => new RpcError(RPC_CODE.invalidParams, 'invalid reward percentiles'),
  tooManySlots: (count, most) =>
    new RpcError(RPC_CODE.invalidParams, `total slot count ${count} exceeds limit ${most}`),
  isEmptyStorageQuery: (accounts) => accounts === 0,
  unknownTopic: (topic) => new RpcError(RPC_CODE.invalidParams, `invalid subscription topic ${topic}`),
  tooManySubscriptions: (limit) =>
    new RpcError(-32006, 'Too many subscriptions on the connection', `Exceeded max limit of ${limit}`),
  transactionNotFound: () => new RpcError(-32001, 'transaction not found'),
};
