import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPCODE_GROUPS } from '../../../src/evm/table/index.ts';
import { codeOf } from '../support/code.ts';
import { Loop } from '../support/loop.ts';
import { MODEL } from '../support/model.ts';

const loop = new Loop();
const opcodes = OPCODE_GROUPS.flatMap((group) => group.opcodes).filter(({ name }) => MODEL[name] !== undefined);

/** Words at the edges of limbs, of halves of limbs and of the sign. */
const EDGES = [0, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 255].flatMap((bit) =>
  [-1n, 0n, 1n].map((off) => BigInt.asUintN(256, (1n << BigInt(bit)) + off)),
);
const WORDS = [...new Set([0n, ...EDGES, 2n ** 256n - 1n, 2n ** 256n - 2n, ...[2n, 7n, 30n, 255n, 256n, 257n]])];

/** A word of limbs at which the first guess of a quotient's digit is often too large. */
const word = fc
  .array(fc.oneof(fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff), fc.nat(0xffff_ffff)), { maxLength: 8 })
  .map((limbs) => limbs.reduce((sum, limb) => (sum << 32n) | BigInt(limb), 0n));
const operand = fc.oneof(fc.constantFrom(...WORDS), word);

/** Runs an opcode above a word that has to stay. */
function check(code: number, name: string, operands: readonly bigint[]): void {
  const { stack, outcome } = loop.run(codeOf(7n, ...operands.toReversed(), code, 0));
  const text = `${name}(${operands.map((each) => `0x${each.toString(16)}`).join(', ')})`;
  expect([text, outcome, ...stack]).toEqual([text, 'stopped', 7n, MODEL[name]?.(...operands)]);
}

describe('opcodes that compute a word', () => {
  it('the model has all of them', () => {
    expect(opcodes.map(({ name }) => name).sort()).toEqual(Object.keys(MODEL).sort());
  });

  it.each(opcodes)('$name computes what the specification says at the edges of limbs', ({ code, name, takes }) => {
    if (takes === 3) return;
    for (const a of WORDS)
      if (takes === 1) check(code, name, [a]);
      else for (const b of WORDS) check(code, name, [a, b]);
  });

  it.each(opcodes)('$name computes what the specification says of generated words', ({ code, name, takes }) => {
    const operands = fc.array(operand, { minLength: takes, maxLength: takes });
    fc.assert(
      fc.property(operands, (words) => check(code, name, words)),
      { numRuns: takes === 3 ? 3000 : 500 },
    );
  });
});
