import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useLoop } from '../../../../src/nodes/execution/evm/machine-instances.ts';
import { plantedLoop } from '../../../evm/differential/plant.ts';
import { directedAgainstLibrary } from '../differential/directed/compare.ts';
import { textOfFailure } from '../differential/directed/show.ts';
import { directedPrograms } from '../differential/directed/suite.ts';
import { LEVELS } from '../differential/level.ts';
import { againstLibrary } from '../differential/run.ts';

const CHEAP = { pointEvaluation: false };

/** The executor runs our own EVM here, which `docs/evm.md` describes. */
beforeAll(() => {
  process.env['ROLLUP_DEVNET_EVM'] = 'own';
});
afterAll(() => {
  delete process.env['ROLLUP_DEVNET_EVM'];
});

describe('our own EVM in the executor', () => {
  it.each(LEVELS)('agrees with the EVM library on generated transactions at %s', async (level) => {
    expect(await againstLibrary(21, level, 60, CHEAP)).toMatchObject({ differences: [] });
  });

  it.each(LEVELS)('agrees with the EVM library on directed programs at %s', async (level) => {
    const options = { oneIn: 50, operands: 2, random: 10, ...CHEAP };
    const finding = await directedAgainstLibrary(level, await directedPrograms(level, 36, options), options);
    expect(textOfFailure(finding)).toBe('');
  });

  it('differs by a planted error in its loop', async () => {
    useLoop(await plantedLoop({ opcode: 'MULMOD', row: { gas: 9 } }));
    try {
      const { differences } = await againstLibrary(14, 'prague', 40, CHEAP);
      expect(differences[0]).toMatchObject({ what: 'gasUsed' });
    } finally {
      useLoop(undefined);
    }
  });
});
