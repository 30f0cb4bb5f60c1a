import { describe, expect, test } from 'vitest';
import { FORKS, type ForkName, rulesAt } from '../../../src/protocol/forks/index.ts';

const chain = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);
const rulesOf = (name: ForkName) =>
  rulesAt(Object.fromEntries(chain.slice(0, chain.indexOf(name) + 1).map((fork) => [fork, 0])), 1);

describe('the header of a rollup’s block', () => {
  // Specification: L2 execution engine. Canyon: an empty withdrawals list. Ecotone: Cancun's fields. Isthmus: the root
  // of L2ToL1MessagePasser, and Prague's field.
  test.each([
    ['bedrock', 'absent', false, false],
    ['regolith', 'absent', false, false],
    ['canyon', 'empty', false, false],
    ['delta', 'empty', false, false],
    ['ecotone', 'empty', true, false],
    ['fjord', 'empty', true, false],
    ['granite', 'empty', true, false],
    ['holocene', 'empty', true, false],
    ['isthmus', 'message-passer', true, true],
    ['jovian', 'message-passer', true, true],
    ['karst', 'message-passer', true, true],
  ] as const)(
    'at %s has withdrawalsRoot %s, beacon root %s, requestsHash %s',
    (name, withdrawalsRoot, beaconRoot, requestsHash) => {
      expect(rulesOf(name).header).toEqual({ withdrawalsRoot, beaconRoot, requestsHash });
    },
  );
});

describe('the input of precompiles', () => {
  const [PAIRING, G1_MSM, G2_MSM, BLS_PAIRING] = [8, 12, 14, 15].map((at) => `0x${at.toString(16).padStart(40, '0')}`);

  // Specification: granite, isthmus and jovian, precompile input size restrictions. Addresses: EIP-197, EIP-2537.
  test.each<[ForkName, Readonly<Record<string, number>>]>([
    ['fjord', {}],
    ['granite', { [PAIRING!]: 112_687 }],
    ['isthmus', { [PAIRING!]: 112_687, [G1_MSM!]: 513_760, [G2_MSM!]: 488_448, [BLS_PAIRING!]: 235_008 }],
    ['jovian', { [PAIRING!]: 81_984, [G1_MSM!]: 288_960, [G2_MSM!]: 278_784, [BLS_PAIRING!]: 156_672 }],
  ])('at %s has its limits in bytes by address', (name, limits) => {
    expect(rulesOf(name).precompiles.inputLimits).toEqual(limits);
  });
});
