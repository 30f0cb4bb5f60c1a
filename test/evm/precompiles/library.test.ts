import { describe, expect, it } from 'vitest';
import type { PrecompileResult } from '../../../src/evm/machine/state.ts';
import { PRECOMPILES } from '../../../src/evm/precompiles/table.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { atLeast, EVM_LEVELS } from '../../../src/protocol/rules/evm-level.ts';
import { Random } from '../../nodes/execution/differential/random.ts';
import { edgeInputs } from './edges.ts';
import { GAS, libraryPrecompiles, ours } from './support.ts';

/** Rounds of inputs by address, else 8. These take the library milliseconds each. */
const ROUNDS: Readonly<Record<number, number>> = { 1: 4, 7: 2, 8: 1, 10: 2, 12: 1, 13: 2, 14: 1, 15: 1, 16: 2, 17: 1 };

function textOf(result: PrecompileResult): string {
  return 'failure' in result ? 'failure' : `${bytesToHex(result.output)} for ${result.gasUsed}`;
}

describe.each(EVM_LEVELS)('precompiles at %s', (level) => {
  const active = PRECOMPILES.filter(({ since }) => since === undefined || atLeast(level, since));
  // Levels differ in one gas rule alone.
  const tested = level === 'osaka' ? active : active.filter(({ address }) => address < 6);

  it.each(tested.map(({ address }) => address))('precompile %d agrees with the library', async (address) => {
    const theirs = (await libraryPrecompiles(level))(address);
    const mine = ours(address, level)!;
    const random = new Random(7 * address);
    for (let round = 0; round < (ROUNDS[address] ?? 8); round++)
      for (const input of edgeInputs(address, level, random)) {
        const expected = await theirs(input, GAS);
        expect(textOf(await mine(input, GAS)), bytesToHex(input)).toBe(textOf(expected));
        if ('failure' in expected) continue;
        expect(textOf(await mine(input, expected.gasUsed))).toBe(textOf(expected));
        expect(await mine(input, expected.gasUsed - 1n)).toEqual({ failure: 'out of gas' });
      }
  });
});
