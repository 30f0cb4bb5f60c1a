/** A mutant that no test can fail. A line's text finds it, so that it survives lines that move. */
export interface EquivalentMutant {
  /** The source line on which the mutant starts, without indentation. */
  readonly line: string;
  /** The changed part of the source and what it becomes, spaces folded: `a > b ⇒ a >= b`. */
  readonly change: string;
  /** Why the program behaves the same. */
  readonly reason: string;
}

/** Equivalent mutants by file. `make mutants` does not count them, and reports those that it no longer meets. */
export const EQUIVALENT_MUTANTS: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/orchestrator/scenario/bounds.ts': [
    {
      line: 'if (above !== undefined && found <= above) return `${written(found)}, not above ${written(above)}`;',
      change: 'above !== undefined ⇒ true',
      reason: 'no number is at most undefined',
    },
    {
      line: 'if (below !== undefined && found >= below) return `${written(found)}, not below ${written(below)}`;',
      change: 'below !== undefined ⇒ true',
      reason: 'no number is at least undefined',
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
  'src/protocol/rules/base-fee/eip1559.ts': [
    {
      line: 'if (target === 0n || gasMetered === target) return fee;',
      change: 'gasMetered === target ⇒ false',
      reason: 'at the target the decrease is 0',
    },
    {
      line: 'if (gasMetered > target) {',
      change: 'gasMetered > target ⇒ gasMetered >= target',
      reason: 'the line before returns at the target',
    },
    {
      line: 'return fee + (increase > 1n ? increase : 1n);',
      change: 'increase > 1n ⇒ increase >= 1n',
      reason: 'an increase of 1 is 1 either way',
    },
    {
      line: 'return fee > decrease ? fee - decrease : 0n;',
      change: 'fee > decrease ⇒ true',
      reason: 'a decrease is at most the fee divided by the denominator, which is at least 1',
    },
    {
      line: 'return fee > decrease ? fee - decrease : 0n;',
      change: 'fee > decrease ⇒ fee >= decrease',
      reason: 'the difference of equal values is 0',
    },
  ],
  'src/protocol/rules/base-fee/minimum.ts': [
    {
      line: 'return fee < least ? least : fee;',
      change: 'fee < least ⇒ fee <= least',
      reason: 'both are equal there',
    },
  ],
  'src/protocol/rules/l1-blob-fee/blob-base-fee.ts': [
    {
      line: 'if (sum >= most) return MAX_FEE;',
      change: 'sum >= most ⇒ sum > most',
      reason: 'a sum of MAX_FEE fractions is the fee MAX_FEE when it is divided',
    },
  ],
  'src/protocol/rules/l1-blob-fee/chain-config.ts': [
    {
      line: "const ORDER = ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5', 'amsterdam'];",
      change: `'cancun' ⇒ ""`,
      reason: 'a fork that is not in the list is older than all others, as cancun is',
    },
  ],
};
