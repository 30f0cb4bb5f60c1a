import { uintBe } from '../../protocol/bytes.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import type { Resumable } from '../../protocol/resumable.ts';
import { atLeast } from '../../protocol/rules/evm-level.ts';
import type { PrecompileRules, Rules } from '../../protocol/rules/rules.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Precompile, PrecompileResult } from '../machine/state.ts';
import {
  type PrecompileGas,
  type PrecompileLibraries,
  type PrecompileRow,
  type PrecompileRun,
  valueAt,
} from './precompile.ts';
import { PrecompileFailure } from './shared/failure.ts';
import { P256_VERIFY, PRECOMPILES } from './table.ts';

/**
 * Returns the precompiles under rules, by address.
 * Counterparts: `ActivePrecompiledContracts` of op-geth, `OpPrecompiles` of op-revm.
 */
export function activePrecompiles(
  { evm, precompiles }: Pick<Rules, 'evm' | 'precompiles'>,
  libraries: PrecompileLibraries,
): ReadonlyMap<Hex, Precompile> {
  const active = new Map<Hex, Precompile>();
  for (const row of PRECOMPILES) {
    const price = priceUnder(precompiles, row);
    if (price === undefined && !atLeast(evm, row.since ?? 'paris')) continue;
    const address = bytesToHex(uintBe(row.address, 20));
    const gas = price ?? valueAt(row.gas, evm);
    const limit = precompiles.inputLimits[address] ?? Number.POSITIVE_INFINITY;
    active.set(address, precompileOf(row, gas, limit, valueAt(row.run, evm), libraries));
  }
  return active;
}

/** Returns the price that rules give a precompile at any level. */
function priceUnder({ p256VerifyGas }: PrecompileRules, { address }: PrecompileRow): bigint | undefined {
  return address === P256_VERIFY && p256VerifyGas !== undefined ? BigInt(p256VerifyGas) : undefined;
}

function precompileOf(
  { tooLong = 'invalid input length' }: PrecompileRow,
  price: PrecompileGas,
  limit: number,
  run: PrecompileRun,
  libraries: PrecompileLibraries,
): Precompile {
  return (input, gas) => {
    const gasUsed = typeof price === 'bigint' ? price : price(input);
    if (gasUsed > gas) return { failure: 'out of gas' };
    if (input.length > limit) return { failure: tooLong };
    try {
      const output = run(input, libraries);
      if (output instanceof Promise) return output.then((done) => resultOf(done, gasUsed), failureOf);
      return resultOf(output, gasUsed);
    } catch (error) {
      return failureOf(error);
    }
  };
}

function resultOf(output: Uint8Array | Resumable<Uint8Array>, gasUsed: bigint) {
  return output instanceof Uint8Array ? { output, gasUsed } : inSteps(output, gasUsed);
}

function* inSteps(steps: Resumable<Uint8Array>, gasUsed: bigint): Resumable<PrecompileResult> {
  try {
    return { output: yield* steps, gasUsed };
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): PrecompileResult {
  if (error instanceof PrecompileFailure) return { failure: error.reason };
  throw error;
}
