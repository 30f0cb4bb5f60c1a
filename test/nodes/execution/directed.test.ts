import { describe, expect, test } from 'vitest';
import { directedAgainstLibrary } from './differential/directed/compare.ts';
import { textOfFailure } from './differential/directed/show.ts';
import { directedPrograms } from './differential/directed/suite.ts';
import { LEVELS } from './differential/level.ts';

/** A part of `make differential`, without the point evaluation, whose trusted setup takes seconds to load. */
const OPTIONS = { oneIn: 20, operands: 4, precompiles: 3, random: 20, pointEvaluation: false };

describe('directed programs', () => {
  test.each(LEVELS)('have the same trace, receipt and state here and in the EVM library at %s', async (level) => {
    const programs = await directedPrograms(level, 35, OPTIONS);
    const finding = await directedAgainstLibrary(level, programs, OPTIONS);
    expect(finding.programs).toBeGreaterThan(200);
    expect(textOfFailure(finding)).toBe('');
  });
});
