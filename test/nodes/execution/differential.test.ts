import { describe, expect, test } from 'vitest';
import { missing } from './differential/coverage.ts';
import { withPlantedError } from './differential/plant.ts';
import { againstAnvilRollup, againstLibrary, againstLibraryAndAnvil } from './differential/run.ts';

const CHEAP = { pointEvaluation: false };

/** A part of `make differential`. */
describe('agrees in receipts, gas, logs and state', () => {
  test.each(['shanghai', 'prague'] as const)(
    'with the EVM library’s own runner and with anvil at %s',
    async (level) => {
      expect(await againstLibraryAndAnvil(11, level, 60, CHEAP)).toMatchObject({ differences: [] });
    },
  );

  test('with the EVM library at osaka, of an authority that does not exist too', async () => {
    const { differences, coverage } = await againstLibrary(12, 'osaka', 100, CHEAP);
    expect(differences).toEqual([]);
    const { all, missing: lacking } = await missing('osaka', coverage);
    expect(lacking.length).toBeLessThan(all.opcodes / 4);
  });

  test('with anvil --network optimism at isthmus, deposits and operator fee included', async () => {
    expect(await againstAnvilRollup(13, 'isthmus', 60, { operatorFee: true, ...CHEAP })).toMatchObject({
      differences: [],
    });
  });
});

test.each([
  ['the price of an opcode', { opcode: 'MSTORE', row: { gas: 4 } }],
  [
    'the first touch of a slot',
    { file: 'opcodes/storage.ts', text: 'const COLD_SLOT: i64 = 2100', instead: 'const COLD_SLOT: i64 = 2101' },
  ],
])('the differential test detects an error in %s that is planted in the loop of our executor', async (_, plant) => {
  const [first] = await withPlantedError(plant, 14, 'prague', 40);
  expect(first).toMatchObject({ what: 'gasUsed' });
});
