/** Data of the errors of the rollup's rules, by code. A module that raises a new kind of error adds one entry. */
export interface ProtocolErrorData {
  /** Text that is not `0x`-prefixed hex of the expected length. */
  'hex-malformed': { readonly value: string };
  /** Bytes that are not canonical RLP of the expected shape. */
  'rlp-malformed': { readonly offset: number };
  /** An integer, length or list that leaves the range of its encoding. */
  'out-of-range': { readonly field: string; readonly value: bigint | number };
  /** A deposit transaction or a TransactionDeposited log that breaks the deposit encoding. */
  'deposit-malformed': { readonly field: string };
  /** Batcher transaction data that is not version 0 followed by whole frames. */
  'frame-malformed': { readonly offset: number };
  /** A channel whose compression is unknown, forbidden by the rules in force, or broken. */
  'channel-malformed': { readonly compression: string };
  /** A singular or span batch that cannot be decoded. */
  'batch-malformed': { readonly field: string };
  /** A span batch that is well-formed, but does not fit the chain it is decoded for. */
  'batch-inconsistent': { readonly field: string };
  /** A commitment of an unknown version or kind, or of a wrong length. */
  'commitment-malformed': { readonly problem: string };
  /** A blob whose field elements do not follow the blob encoding. */
  'blob-malformed': { readonly offset: number };
  /** An SSZ payload that does not follow its version's layout. */
  'ssz-malformed': { readonly version: number };
  /** A JSON document that lacks a field or carries one of the wrong type. */
  'json-malformed': { readonly field: string };
  /** A payload whose fields are not those of its fork's version. */
  'payload-invalid': { readonly field: string };
  /** Header extraData that the rules in force reject. */
  'extra-data-invalid': { readonly extraData: string };
  /** Calldata that is not an L1-attributes call of the expected version. */
  'l1-attributes-malformed': { readonly length: number };
  /** A fork list or fork schedule that contradicts itself. */
  'schedule-invalid': { readonly fork: string };
  /** A fork activates after genesis and its upgrade bundle is missing. */
  'bundle-missing': { readonly fork: string };
}

/** Code of a {@link ProtocolError}. */
export type ProtocolErrorCode = keyof ProtocolErrorData;

/** Reaction of the caller: `drop` the input and continue, `retry` later, `reset` derivation, or stop (`fatal`). */
export type ErrorHandling = 'drop' | 'retry' | 'reset' | 'fatal';

/**
 * An error of the rollup's rules. `code` selects the entry of {@link ProtocolErrorData} that types `data`.
 * `handling` is decided where the error is raised.
 */
export class ProtocolError<Code extends ProtocolErrorCode = ProtocolErrorCode> extends Error {
  override readonly name = 'ProtocolError';
  readonly code: Code;
  readonly handling: ErrorHandling;
  readonly data: ProtocolErrorData[Code];

  constructor(code: Code, handling: ErrorHandling, message: string, data: ProtocolErrorData[Code]) {
    super(message);
    this.code = code;
    this.handling = handling;
    this.data = data;
  }
}

/** Tells whether an error is a {@link ProtocolError}, of the given code if one is given. */
export function isProtocolError<Code extends ProtocolErrorCode>(
  error: unknown,
  code?: Code,
): error is ProtocolError<Code> {
  return error instanceof ProtocolError && (code === undefined || error.code === code);
}
