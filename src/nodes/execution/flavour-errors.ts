import { isUtf8 } from 'node:buffer';
import { bytesToHex, quantity } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import type { TransactionInvalid } from './block/errors.ts';
import type { BlockTag } from './query/block-tag.ts';
import { revertReason } from './query/revert.ts';

/** What a failed call left behind. */
export interface Failed {
  readonly failure?: string;
  readonly returnValue: Uint8Array;
  readonly gasLimit: bigint;
}

/** The EVM library's words for a failure, as the Go and the Rust client say them. */
const FAILURES: Readonly<Record<string, { readonly go: string; readonly rust: string }>> = {
  'out of gas': { go: 'out of gas', rust: 'OutOfGas' },
  'code store out of gas': { go: 'contract creation code storage out of gas', rust: 'OutOfGas' },
  'code size to deposit exceeds maximum code size': { go: 'max code size exceeded', rust: 'CreateContractSizeLimit' },
  'stack underflow': { go: 'stack underflow', rust: 'StackUnderflow' },
  'stack overflow': { go: 'stack limit reached 1024 (1023)', rust: 'StackOverflow' },
  'invalid JUMP': { go: 'invalid jump destination', rust: 'InvalidJump' },
  'invalid opcode': { go: 'invalid opcode', rust: 'OpcodeNotFound' },
  'value out of range': { go: 'gas uint64 overflow', rust: 'OutOfGas' },
  'static state change': { go: 'write protection', rust: 'StateChangeDuringStaticCall' },
  'create collision': { go: 'contract address collision', rust: 'CreateCollision' },
  'insufficient balance': { go: 'insufficient balance for transfer', rust: 'OutOfFunds' },
  'value overflow': { go: 'insufficient balance for transfer', rust: 'OverflowPayment' },
  'invalid bytecode deployed': {
    go: 'invalid code: must not begin with 0xef',
    rust: 'CreateContractStartingWithEF',
  },
  'initcode exceeds max initcode size': { go: 'max initcode size exceeded', rust: 'CreateInitCodeSizeLimit' },
};

/** The Go client's words for why code failed: what its calls answer, and what every tracer shows. */
export function failureWords(failure: string): string {
  return failure === 'revert' ? 'execution reverted' : (wordsFor(failure)?.go ?? failure);
}

/** The library says of a bad jump where it was, too. */
function wordsFor(failure: string) {
  return FAILURES[failure.startsWith('invalid JUMP') ? 'invalid JUMP' : failure];
}

const PANICS: ReadonlyMap<bigint, { readonly go: string; readonly rust: string }> = new Map([
  [0x00n, { go: 'generic panic', rust: 'generic/unspecified error' }],
  [0x01n, { go: 'assert(false)', rust: 'assertion failed' }],
  [0x11n, { go: 'arithmetic underflow or overflow', rust: 'arithmetic underflow or overflow' }],
  [0x12n, { go: 'division or modulo by zero', rust: 'division or modulo by zero' }],
  [0x21n, { go: 'enum overflow', rust: 'failed to convert value into enum type' }],
  [0x22n, { go: 'invalid encoded storage byte array accessed', rust: 'storage byte array incorrectly encoded' }],
  [0x31n, { go: 'out-of-bounds array access; popping on an empty array', rust: 'called `.pop()` on an empty array' }],
  [0x32n, { go: 'out-of-bounds access of an array or bytesN', rust: 'array out-of-bounds access' }],
  [0x41n, { go: 'out of memory', rust: 'memory allocation error' }],
  [0x51n, { go: 'uninitialized function', rust: 'called an invalid internal function' }],
]);

/** What a revert says in Solidity's terms, as the Go client and every tracer say it. */
export function solidityReason(data: Uint8Array): string | undefined {
  const reason = revertReason(data);
  if (reason === undefined) return undefined;
  if (reason.kind === 'error') return reason.text;
  return PANICS.get(reason.code)?.go ?? `unknown panic code: 0x${reason.code.toString(16)}`;
}

function reverted({ returnValue }: Failed, words: (data: Uint8Array) => string | undefined): RpcError {
  const text = words(returnValue);
  const message = text === undefined ? 'execution reverted' : `execution reverted: ${text}`;
  return new RpcError(3, message, bytesToHex(returnValue));
}

/** Errors whose words or codes differ between the clients. */
export interface FlavourErrors {
  /** A block that a query names is not known, or not canonical. */
  blockNotFound(tag: BlockTag, notCanonical?: boolean): RpcError;
  /** A call that cannot begin. */
  callRefused(problem: TransactionInvalid): RpcError;
  /** A call that ran and failed. */
  callFailed(result: Failed): RpcError;
  /** A call that failed with all the gas that it can have. */
  estimateFailed(result: Failed): RpcError;
  /** What a list of accesses says beside it of a call that failed. */
  listedFailure(result: Failed): string;
  filterNotFound(): RpcError;
  /** Bytes that are no signed transaction; `detail`: what is wrong with them. */
  undecodable(raw: Uint8Array, detail?: string): RpcError;
  beyondHead(requested: number, head: number): RpcError;
  /** A query of logs past the newest block; absent: it ends there. */
  logsBeyondHead?(): RpcError;
  badPercentiles(): RpcError;
  /** A query of more storage slots than there may be. */
  tooManySlots(count: number, most: number): RpcError;
  /** Whether a query of storage asks for nothing, which is refused. */
  isNoStorageQuery(accounts: number, slots: number): boolean;
  unknownTopic(topic: string): RpcError;
  tooManySubscriptions(limit: number): RpcError;
  transactionNotFound(): RpcError;
}

/** The Go client's words where a query wants a state that it has pruned. */
export function stateMissing(root: Hex): RpcError {
  const words = `missing trie node ${root.slice(2)} (path ) state ${root} is not available, not found`;
  return new RpcError(RPC_CODE.server, words);
}

const UNDECODABLE = 'failed to decode signed transaction';

export const GO_ERRORS: FlavourErrors = {
  blockNotFound(tag, notCanonical = false) {
    if (tag === 'safe' || tag === 'finalized') return new RpcError(RPC_CODE.server, `${tag} block not found`);
    if (typeof tag !== 'object') return new RpcError(RPC_CODE.server, 'header not found');
    return new RpcError(
      RPC_CODE.server,
      notCanonical ? 'hash is not currently canonical' : 'header for hash not found',
    );
  },
  callRefused: ({ message }) => new RpcError(RPC_CODE.server, message),
  callFailed(result) {
    if (result.failure === 'revert') return reverted(result, solidityReason);
    return new RpcError(RPC_CODE.server, failureWords(result.failure ?? 'execution failed'));
  },
  estimateFailed(result) {
    if (result.failure !== 'out of gas') return GO_ERRORS.callFailed(result);
    return new RpcError(RPC_CODE.server, `gas required exceeds allowance (${result.gasLimit})`);
  },
  listedFailure: ({ failure }) => failureWords(failure ?? 'execution failed'),
  filterNotFound: () => new RpcError(RPC_CODE.server, 'filter not found'),
  undecodable: (_, detail = '') => new RpcError(RPC_CODE.invalidParams, UNDECODABLE + detail),
  beyondHead: (requested, head) =>
    new RpcError(RPC_CODE.server, `request beyond head block: requested ${requested}, head ${head}`),
  badPercentiles: () => new RpcError(RPC_CODE.server, 'invalid reward percentile'),
  tooManySlots: (_, most) => new RpcError(-38026, `too many slots (max ${most})`),
  isNoStorageQuery: (_, slots) => slots === 0,
  unknownTopic: (topic) => new RpcError(RPC_CODE.methodNotFound, `no "${topic}" subscription in eth namespace`),
  tooManySubscriptions: (limit) =>
    new RpcError(RPC_CODE.limitExceeded, `more than ${limit} subscriptions on one connection`),
  transactionNotFound: () => new RpcError(RPC_CODE.server, 'transaction not found'),
};

/** Bytes that are no ABI encoding are shown by the Rust client where they are text. */
function plainText(data: Uint8Array): string | undefined {
  return data.length > 0 && isUtf8(data) ? Buffer.from(data).toString() : undefined;
}

export const RUST_ERRORS: FlavourErrors = {
  blockNotFound(tag) {
    const name =
      typeof tag === 'number'
        ? quantity(tag)
        : typeof tag === 'string'
          ? tag
          : `${tag.requireCanonical === true ? 'canonical hash' : 'hash'} ${tag.blockHash}`;
    return new RpcError(-32001, `block not found: ${name}`);
  },
  callRefused({ code, detail = '' }) {
    if (code === 'max initcode size exceeded') return new RpcError(-32003, code);
    if (code !== 'insufficient funds for gas * price + value') return new RpcError(RPC_CODE.server, code);
    return new RpcError(-32003, `${code}: ${detail.slice(detail.indexOf('have'))}`);
  },
  callFailed(result) {
    const { failure, gasLimit } = result;
    if (failure === 'revert')
      return reverted(result, (data) => {
        const reason = revertReason(data);
        if (reason === undefined) return plainText(data);
        if (reason.kind === 'error') return reason.text;
        const code = reason.code.toString(16).padStart(2, '0');
        return `panic: ${PANICS.get(reason.code)?.rust ?? 'unknown code'} (0x${code})`;
      });
    const words =
      failure === 'out of gas'
        ? `out of gas: gas required exceeds: ${gasLimit}`
        : `EVM error: ${wordsFor(failure ?? '')?.rust ?? failure}`;
    return new RpcError(-32003, words);
  },
  estimateFailed: (result) => RUST_ERRORS.callFailed(result),
  listedFailure: (result) => RUST_ERRORS.callFailed(result).message,
  filterNotFound: () => new RpcError(RPC_CODE.invalidParams, 'filter not found'),
  undecodable: (raw, detail = '') =>
    new RpcError(RPC_CODE.invalidParams, raw.length === 0 ? 'empty transaction data' : UNDECODABLE + detail),
  beyondHead: (requested, head) =>
    new RpcError(RPC_CODE.invalidParams, `request beyond head block: requested ${requested}, head ${head}`),
  logsBeyondHead: () => new RpcError(RPC_CODE.invalidParams, 'block range extends beyond current head block'),
  badPercentiles: () => new RpcError(RPC_CODE.invalidParams, 'invalid reward percentiles'),
  tooManySlots: (count, most) =>
    new RpcError(RPC_CODE.invalidParams, `total slot count ${count} exceeds limit ${most}`),
  isNoStorageQuery: (accounts) => accounts === 0,
  unknownTopic: (topic) => new RpcError(RPC_CODE.invalidParams, `invalid subscription topic ${topic}`),
  tooManySubscriptions: (limit) =>
    new RpcError(-32006, 'Too many subscriptions on the connection', `Exceeded max limit of ${limit}`),
  transactionNotFound: () => new RpcError(-32001, 'transaction not found'),
};
