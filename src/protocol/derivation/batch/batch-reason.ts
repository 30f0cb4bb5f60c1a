import type { Hex } from '../../types.ts';

/**
 * The reason why a batch is not accepted now, with the values of its message. Times in Unix seconds.
 * Counterpart in kona: `BatchDropReason`.
 */
export type BatchReason =
  | { readonly kind: 'no L1 block' }
  | { readonly kind: 'timestamp'; readonly timestamp: number; readonly expected: number }
  | { readonly kind: 'parent hash'; readonly hash: Hex; readonly expected: Hex }
  | { readonly kind: 'inclusion too late'; readonly epoch: number; readonly inclusion: number }
  | { readonly kind: 'epoch after safe head'; readonly epoch: number; readonly safeEpoch: number }
  | { readonly kind: 'epoch mismatch'; readonly epoch: number; readonly expected: number }
  | { readonly kind: 'epoch unknown'; readonly epoch: number }
  | { readonly kind: 'epoch hash'; readonly epoch: number; readonly hash: Hex; readonly expected: Hex }
  | BlockReason
  | SpanReason
  | OverlapReason;

/** A rule that one block of a batch breaks. */
export type BlockReason =
  | { readonly kind: 'before L1 origin'; readonly timestamp: number; readonly originTime: number }
  | { readonly kind: 'sequencer drift'; readonly timestamp: number; readonly latest: number }
  | { readonly kind: 'next L1 origin unknown' }
  | { readonly kind: 'next L1 origin not taken' }
  | { readonly kind: 'transactions in activation block' }
  | { readonly kind: 'empty transaction'; readonly index: number }
  | { readonly kind: 'deposit'; readonly index: number }
  | { readonly kind: 'transaction type'; readonly index: number; readonly type: number; readonly timestamp: number };

/** A rule of span batches. */
export type SpanReason =
  | { readonly kind: 'span batch not active' }
  | { readonly kind: 'span start'; readonly timestamp: number; readonly expected: number }
  | { readonly kind: 'span without new block'; readonly timestamp: number }
  | { readonly kind: 'span misaligned' }
  | { readonly kind: 'span before genesis' }
  | { readonly kind: 'parent check'; readonly check: string; readonly expected: Hex }
  | { readonly kind: 'epoch too far ahead'; readonly epoch: number }
  | { readonly kind: 'last epoch too old'; readonly epoch: number; readonly first: number }
  | { readonly kind: 'last epoch unknown'; readonly epoch: number }
  | { readonly kind: 'L1 origin check'; readonly epoch: number; readonly check: string; readonly expected: Hex }
  | { readonly kind: 'epoch too old'; readonly epoch: number }
  | { readonly kind: 'block epoch too old'; readonly epoch: number }
  | { readonly kind: 'L1 origin too old' };

/** A difference between a span batch and the safe chain. Numbers are those of L2 blocks. */
export type OverlapReason =
  | {
      readonly kind: 'overlap transaction count';
      readonly number: number;
      readonly safe: number;
      readonly batch: number;
    }
  | { readonly kind: 'overlap transaction'; readonly number: number; readonly index: number }
  | { readonly kind: 'overlap L1 origin'; readonly number: number; readonly safe: number; readonly batch: number };

/** Returns the reason in words, for the log. */
export function batchReasonMessage(reason: BatchReason): string {
  switch (reason.kind) {
    case 'no L1 block':
      return 'no L1 block is known';
    case 'timestamp':
      return `time ${reason.timestamp}, expected ${reason.expected}`;
    case 'parent hash':
      return `parent ${reason.hash}, the safe head is ${reason.expected}`;
    case 'inclusion too late':
      return `epoch ${reason.epoch}, included in ${reason.inclusion}: the sequencing window is over`;
    case 'epoch after safe head':
      return `epoch ${reason.epoch}, but the safe head has epoch ${reason.safeEpoch}`;
    case 'epoch mismatch':
      return `epoch ${reason.epoch}, expected ${reason.expected} or the one after`;
    case 'epoch unknown':
      return `epoch ${reason.epoch} is not known yet`;
    case 'epoch hash':
      return `epoch ${reason.epoch} is ${reason.hash}, on this L1 ${reason.expected}`;
    case 'overlap transaction count':
      return `safe block ${reason.number} has ${reason.safe} transactions, the batch ${reason.batch}`;
    case 'overlap transaction':
      return `transaction ${reason.index} of safe block ${reason.number} is another in the batch`;
    case 'overlap L1 origin':
      return `safe block ${reason.number} has L1 origin ${reason.safe}, the batch ${reason.batch}`;
    default:
      return blockReasonMessage(reason);
  }
}

function blockReasonMessage(reason: BlockReason | SpanReason): string {
  switch (reason.kind) {
    case 'before L1 origin':
      return `time ${reason.timestamp} is before its L1 origin's ${reason.originTime}`;
    case 'sequencer drift':
      return `time ${reason.timestamp} exceeds the sequencer drift (${reason.latest}), only empty blocks may`;
    case 'next L1 origin unknown':
      return 'past the sequencer drift, the next L1 block is not known yet';
    case 'next L1 origin not taken':
      return 'past the sequencer drift without taking the next L1 origin';
    case 'transactions in activation block':
      return 'transactions in a block in which a fork activates';
    case 'empty transaction':
      return `transaction ${reason.index} is empty`;
    case 'deposit':
      return `transaction ${reason.index} is a deposit`;
    case 'transaction type': {
      const { index, type, timestamp } = reason;
      return `transaction ${index} has type ${type}, which the rules at ${timestamp} do not allow`;
    }
    default:
      return spanReasonMessage(reason);
  }
}

function spanReasonMessage(reason: SpanReason): string {
  switch (reason.kind) {
    case 'span batch not active':
      return 'span batch with an L1 origin before span batches';
    case 'span start':
      return `begins at time ${reason.timestamp}, the next block is ${reason.expected}`;
    case 'span without new block':
      return `ends at time ${reason.timestamp}, no new block`;
    case 'span misaligned':
      return 'its times do not fall on those of the safe chain';
    case 'span before genesis':
      return 'begins before genesis';
    case 'parent check':
      return `parent ${reason.check}…, expected ${reason.expected}`;
    case 'epoch too far ahead':
      return `epoch ${reason.epoch} is too far ahead`;
    case 'last epoch too old':
      return `ends in epoch ${reason.epoch}, before ${reason.first}`;
    case 'last epoch unknown':
      return `epoch ${reason.epoch} is not among the known L1 blocks`;
    case 'L1 origin check':
      return `epoch ${reason.epoch} is ${reason.check}…, on this L1 ${reason.expected}`;
    case 'epoch too old':
      return `epoch ${reason.epoch} is too old`;
    case 'block epoch too old':
      return `epoch ${reason.epoch} is older than the safe head's`;
    case 'L1 origin too old':
      return 'one of its L1 origins is too old';
  }
}
