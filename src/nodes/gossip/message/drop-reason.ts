import type { ProtocolError } from '../../../protocol/errors.ts';
import type { Hex } from '../../../protocol/types.ts';

/**
 * The reason why a gossiped message is not delivered, with the values of its message. Ages and leads in seconds.
 * Counterpart in kona: `BlockInvalidError`.
 */
export type DropReason =
  | { readonly kind: 'snappy' }
  | { readonly kind: 'size'; readonly bytes: number }
  | { readonly kind: 'signature' }
  | { readonly kind: 'signer unknown' }
  | { readonly kind: 'signer'; readonly signer: Hex; readonly expected: Hex }
  | { readonly kind: 'malformed'; readonly error: ProtocolError }
  /** `validFrom`: the time (ms of the validator's clock) from which the block is accepted. */
  | { readonly kind: 'future'; readonly timestamp: bigint; readonly lead: number; readonly validFrom: number }
  | { readonly kind: 'past'; readonly timestamp: bigint; readonly age: number }
  | { readonly kind: 'excess blob gas'; readonly excessBlobGas: bigint | undefined }
  | { readonly kind: 'blob gas used'; readonly blobGasUsed: bigint | undefined }
  | { readonly kind: 'block hash'; readonly hash: Hex; readonly blockHash: Hex }
  | { readonly kind: 'too many blocks'; readonly height: number; readonly limit: number }
  | { readonly kind: 'seen' }
  | { readonly kind: 'suspended' };

/** Returns the reason in words, for the log. */
export function dropReasonMessage(reason: DropReason): string {
  switch (reason.kind) {
    case 'snappy':
      return 'no snappy block';
    case 'size':
      return `message of ${reason.bytes} bytes`;
    case 'signature':
      return 'the signature is malformed';
    case 'signer unknown':
      return 'the unsafe block signer is not known yet';
    case 'signer':
      return `signed by ${reason.signer}, expected ${reason.expected}`;
    case 'malformed':
      return reason.error.message;
    case 'future':
      return `block of time ${reason.timestamp}, ${reason.lead} s ahead`;
    case 'past':
      return `block of time ${reason.timestamp}, ${reason.age} s old`;
    case 'excess blob gas':
      return `excessBlobGas is ${reason.excessBlobGas}, expected 0`;
    case 'blob gas used':
      return `blobGasUsed is ${reason.blobGasUsed}, expected 0`;
    case 'block hash':
      return `the fields hash to ${reason.hash}, the block says ${reason.blockHash}`;
    case 'too many blocks':
      return `more than ${reason.limit} different blocks of height ${reason.height}`;
    case 'seen':
      return 'already seen';
    case 'suspended':
      return 'the network goes back to an earlier moment';
  }
}
