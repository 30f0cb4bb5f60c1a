import { expect, it } from 'vitest';
import { baseFeeAfter } from '../../../../src/nodes/execution/chain/base-fee.ts';
import { defineChain } from '../../../../src/nodes/execution/chain/genesis.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { PARIS_HEADER } from '../views/sample-block.ts';

const definition = defineChain(genesisText(upTo('canyon')), 'genesis.json');
/** Canyon, whose denominator is 250 instead of 50, begins with second 100. */
const rules = (time: number | bigint) => rulesAt({ ...upTo('regolith'), canyon: 100 }, time);
const parent = { ...PARIS_HEADER, gasLimit: 30_000_000n, gasUsed: 30_000_000n, baseFeePerGas: 1_000_000_000n };

it.each([
  ['before canyon', 90n, 98n, 1_100_000_000n],
  ['in its first block', 98n, 100n, 1_020_000_000n],
  ['after it', 102n, 104n, 1_020_000_000n],
])('a full block raises the base fee by the denominator of its child %s', (_, timestamp, time, expected) => {
  expect(baseFeeAfter(definition, rules, { ...parent, timestamp }, time)).toBe(expected);
});

it('the DA footprint of a block counts as its gas from jovian on', () => {
  const jovian = (time: number | bigint) => rulesAt({ ...upTo('jovian'), jovian: 0 }, time);
  const extraData = `0x01${'000000fa'}${'00000006'}${'00'.repeat(8)}` as const;
  const header = { ...parent, timestamp: BigInt(GENESIS_TIME), extraData, gasUsed: 1n };
  const after = (blobGasUsed?: bigint) =>
    baseFeeAfter(
      definition,
      jovian,
      { ...header, ...(blobGasUsed === undefined ? {} : { blobGasUsed }) },
      header.timestamp + 2n,
    );
  expect(after(30_000_000n)).toBe(1_020_000_000n);
  expect(after()).toBe(after(1n));
  expect(after()).toBeLessThan(1_000_000_000n);
});
