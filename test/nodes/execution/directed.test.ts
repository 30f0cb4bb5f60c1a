import { describe, expect, test } from 'vitest';
import { missing } from './differential/coverage.ts';
import { directedAgainstLibrary } from './differential/directed/compare.ts';
import { delegations } from './differential/directed/delegations.ts';
import { textOfFailure } from './differential/directed/show.ts';
import { directedPrograms } from './differential/directed/suite.ts';
import { LEVELS } from './differential/level.ts';

/** A part of `make differential`, without the point evaluation, whose trusted setup takes seconds to load. */
const OPTIONS = { oneIn: 20, operands: 4, precompiles: 3, random: 20, pointEvaluation: false };

/** Opcodes and precompiles of each level. All of them run, but for the point evaluation. */
const COUNTS = {
  paris: { opcodes: 142, precompiles: 9 },
  shanghai: { opcodes: 143, precompiles: 9 },
  cancun: { opcodes: 148, precompiles: 10 },
  prague: { opcodes: 148, precompiles: 17 },
  osaka: { opcodes: 149, precompiles: 18 },
} as const;

describe('directed programs', () => {
  test.each(LEVELS)('have the same trace, receipt and state here and in the EVM library at %s', async (level) => {
    const programs = await directedPrograms(level, 35, OPTIONS);
    const finding = await directedAgainstLibrary(level, programs, OPTIONS);
    expect(finding.programs).toBeGreaterThan(200);
    expect(textOfFailure(finding)).toBe('');
    const { all, missing: lacking } = await missing(level, finding.coverage);
    expect(lacking).toEqual(COUNTS[level].precompiles > 9 ? ['precompile 0xa'] : []);
    expect(all).toEqual(COUNTS[level]);
  });

  test.each(['prague', 'osaka'] as const)('warm the delegate of the recipient at %s', async (level) => {
    const programs = [...delegations()].filter(({ title }) => title.endsWith('the recipient, frame 4'));
    expect(programs.length).toBeGreaterThan(20);
    expect(textOfFailure(await directedAgainstLibrary(level, programs, OPTIONS))).toBe('');
  });
});
