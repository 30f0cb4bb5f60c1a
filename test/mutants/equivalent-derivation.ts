import type { EquivalentMutant } from './equivalent.ts';

type Equivalents = Readonly<Record<string, readonly EquivalentMutant[]>>;

/** Equivalent mutants of `src/protocol/derivation`. */
export const DERIVATION: Equivalents = {
  'src/protocol/derivation/alt-da/challenge-reader.ts': [
    {
      line: 'const receipts = hasChallenges ? await this.#l1.receipts(block.hash) : [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a text has no status, and is passed over as the receipt of a transaction that failed',
    },
  ],
  'src/protocol/derivation/alt-da/stage.ts': [
    ...["typeof data === 'string' ⇒ false", '\'string\' ⇒ ""'].map((change) => ({
      line: "if (typeof data === 'string' || !isCommitment(data)) return data;",
      change,
      reason: 'the first character of a word is not the version of a commitment',
    })),
  ],
  'src/protocol/derivation/alt-da/challenge-log.ts': [
    {
      line: 'if (log.topics.length !== 2 || number === undefined) return null;',
      change: 'number === undefined ⇒ false',
      reason: 'the second of two topics is there',
    },
    {
      line: 'if (status === undefined || encoded === null) return null;',
      change: 'encoded === null ⇒ false',
      reason: 'what cannot be decoded returns null as well',
    },
  ],
  'src/protocol/derivation/alt-da/challenges.ts': [
    {
      line: 'if (pending.every((tracked) => tracked.key !== key)) pending.push({ key, inclusion });',
      change: 'pending.every((tracked) => tracked.key !== key) ⇒ true',
      reason: 'a commitment that is there twice is settled and dropped twice at one time',
    },
    {
      line: 'if (pending.every((tracked) => tracked.key !== key)) pending.push({ key, inclusion });',
      change: 'tracked.key !== key ⇒ true',
      reason: 'a commitment that is there twice is settled and dropped twice at one time',
    },
  ],
  'src/protocol/derivation/attributes/l1-info.ts': [
    {
      line: 'const scalars = packed ? decodeScalars(config.scalar) : { baseFeeScalar: 0, blobBaseFeeScalar: 0 };',
      change: '{ baseFeeScalar: 0, blobBaseFeeScalar: 0 } ⇒ {}',
      reason: 'the calls before the packed encoding have no such scalars',
    },
  ],
  'src/protocol/derivation/batch/singular-batch-validity.ts': [
    {
      line: "if (batch.timestamp > expected) return { validity: strict ? 'drop' : 'future', reason };",
      change: 'batch.timestamp > expected ⇒ batch.timestamp >= expected',
      reason: 'the times are not equal there',
    },
  ],
  'src/protocol/derivation/encode/batch-decoder.ts': [
    {
      line: '#inputs: BatcherInput[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'the inputs are set before they are read',
    },
  ],
  'src/protocol/derivation/encode/channel-out.ts': [
    {
      line: 'span[0]?.sequenceNumber === 0,',
      change: 'span[0]?.sequenceNumber ⇒ span[0].sequenceNumber',
      reason: 'no span is empty',
    },
  ],
  'src/protocol/derivation/pipeline/finality.ts': [
    {
      line: 'entries = entries.filter((entry) => entry.derivedFrom.number < derivedFrom.number);',
      change: 'entry.derivedFrom.number < derivedFrom.number ⇒ entry.derivedFrom.number <= derivedFrom.number',
      reason: 'of entries of one number the last one is found',
    },
    ...[
      'entries.filter(({ derivedFrom }) => derivedFrom.number > l1.number) ⇒ entries',
      'derivedFrom.number > l1.number ⇒ true',
      'derivedFrom.number > l1.number ⇒ derivedFrom.number >= l1.number',
    ].map((change) => ({
      line: 'entries = entries.filter(({ derivedFrom }) => derivedFrom.number > l1.number);',
      change,
      reason: 'a head up to the one finalized last is not finalized again: the removal bounds memory',
    })),
  ],
  'src/protocol/derivation/pipeline/pipeline-start.ts': [
    ...['false', 'block.number < genesis.l2.number'].map((becomes) => ({
      line: 'if (isOldEnough || block.number <= genesis.l2.number || number <= genesis.l1.number) break;',
      change: `block.number <= genesis.l2.number ⇒ ${becomes}`,
      reason: 'the origin of the genesis block of L2 is the genesis block of L1, at which the walk ends, too',
    })),
  ],
  'src/protocol/derivation/stages/base-batch-stage.ts': [
    {
      line: 'if (first > 0) blocks = blocks.slice(first);',
      change: 'first > 0 ⇒ first >= 0',
      reason: 'a slice from 0 is the whole list',
    },
    {
      line: 'if (epoch === undefined || nextEpoch === undefined) return null;',
      change: 'epoch === undefined ⇒ false',
      reason: 'a list without a first block has no second one',
    },
  ],
  'src/protocol/derivation/stages/batch-queue.ts': [
    {
      line: "const read = arrived === null ? await below.nextBatch() : 'more';",
      change: `'more' ⇒ ""`,
      reason: 'with a batch that was read before, each text but eof means more',
    },
  ],
  'src/protocol/derivation/stages/channel.ts': [
    {
      line: 'if (end !== null && (frame.isLast || frame.number >= end)) return false;',
      change: 'frame.number >= end ⇒ frame.number > end',
      reason: 'the closing frame is there, and a number that is there was refused before',
    },
    {
      line: 'const beyond = [...frames.keys()].filter((number) => number > frame.number);',
      change: 'number > frame.number ⇒ number >= frame.number',
      reason: 'a number that is there was refused before',
    },
  ],
};
