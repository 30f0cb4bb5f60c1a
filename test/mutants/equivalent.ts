import { DERIVATION, GENESIS } from './equivalent-chain.ts';

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
  'src/nodes/batcher/backlog.ts': [
    {
      line: '#blocks: { readonly number: number; readonly bytes: number }[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a block without a number is dropped with the first change',
    },
    {
      line: 'if (blocks.length === this.#blocks.length) return;',
      change: 'blocks.length === this.#blocks.length ⇒ false',
      reason: 'the sum of the same blocks is the same',
    },
  ],
  'src/nodes/batcher/channel-builder.ts': [
    {
      line:
        'const isFull = () => out.isFull() || ' +
        '(assumedRatio !== undefined && out.inputBytes() * assumedRatio >= targetSize);',
      change: 'assumedRatio !== undefined ⇒ true',
      reason: 'NaN is not above the target',
    },
  ],
  'src/nodes/batcher/throttle/throttle-controller.ts': [
    {
      line: "if (controller === 'step' || load >= upperThreshold) return 1;",
      change: 'load >= upperThreshold ⇒ load > upperThreshold',
      reason: 'the functions are 1 at the threshold',
    },
  ],
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
  ...DERIVATION,
  ...GENESIS,
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
