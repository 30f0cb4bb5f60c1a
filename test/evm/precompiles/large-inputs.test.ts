import { describe, expect, it } from 'vitest';
import type { PrecompileEnd, PrecompileResult } from '../../../src/evm/machine/state.ts';
import { activePrecompiles } from '../../../src/evm/precompiles/active.ts';
import { PRECOMPILES } from '../../../src/evm/precompiles/table.ts';
import { concat, toBigInt, uintBe } from '../../../src/protocol/bytes.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { precompileInputs } from '../../nodes/execution/differential/precompile-inputs.ts';
import { Random } from '../../nodes/execution/differential/random.ts';
import { LIBRARIES, libraryPrecompiles, ours } from './support.ts';

/** More than any of these inputs costs, but for powers of numbers of megabytes. */
const MUCH_GAS = 1_000_000_000n;
const MIB = 2 ** 20;
/** Bytes of a pair, or of a point and its factor, by address. */
const UNITS: Readonly<Record<number, number>> = { 8: 192, 12: 160, 14: 288, 15: 384 };
const active = activePrecompiles({ evm: 'osaka', precompiles: { inputLimits: {} } }, LIBRARIES);
const textOf = (end: PrecompileResult) =>
  'failure' in end ? 'failure' : `${bytesToHex(end.output)} for ${end.gasUsed}`;

/** Ends a call and counts its steps. */
async function stepsOf(address: number, input: Uint8Array) {
  const end: PrecompileEnd = await active.get(bytesToHex(uintBe(address, 20)))!(input, MUCH_GAS);
  if (!('next' in end)) return { steps: 0, end };
  for (let steps = 0; ; steps++) {
    const step = end.next();
    if (step.done) return { steps, end: step.value };
  }
}

describe('a megabyte of input', () => {
  it.each(PRECOMPILES.map(({ address }) => address))('ends precompile %d as in the library', async (address) => {
    const theirs = (await libraryPrecompiles('osaka'))(address);
    const whole = UNITS[address] ?? 1;
    const zeros = new Uint8Array(MIB - (MIB % whole));
    for (const input of [new Random(address).bytes(MIB), zeros]) {
      const expected = await theirs(input, MUCH_GAS);
      expect(textOf(await ours(address)!(input, MUCH_GAS))).toEqual(textOf(expected));
    }
  });
});

describe('an input of many points', () => {
  it.each([
    [8, 3, 2],
    [12, 17, 2],
    [14, 33, 2],
    [15, 3, 2],
  ])('of precompile %d takes steps and ends as in the library', async (address, times, least) => {
    const make = precompileInputs('osaka', true).find(([bytes]) => toBigInt(bytes) === BigInt(address))![1];
    const random = new Random(address);
    const right = concat(...Array.from({ length: times }, () => make(random)));
    // The last byte of the last point, after which a factor of 32 bytes may stand.
    const at = right.length - 1 - (address === 12 || address === 14 ? 32 : 0);
    const wrong = right.with(at, right[at]! ^ 1);
    const theirs = (await libraryPrecompiles('osaka'))(address);
    for (const input of [right, wrong]) {
      const { steps, end } = await stepsOf(address, input);
      expect(steps).toBeGreaterThanOrEqual(input === right ? least : 1);
      expect(textOf(end)).toEqual(textOf(await theirs(input, MUCH_GAS)));
    }
  });
});
