import type { Step } from '../../../../evm/machine/step.ts';
import { OP } from '../../tracing/opcodes.ts';

/** Gas of a call to a cold address (EIP-2929). */
const COLD_CALL_GAS = 2600n;
const VALUE_TRANSFER_GAS = 9000n;

/**
 * Returns whether the gas of a call instruction suffices to load the callee (revm: `load_acc_and_calc_gas`).
 * Memory and value are charged before the load in revm, a new account after it. If our library has counted the whole
 * cost, it suffices.
 */
export function loadsCallee(step: Step): boolean {
  const { op, gas, ownCost, stack, memory } = step;
  if (ownCost > 0n) return true;
  const sendsValue = op === OP.CALL || op === OP.CALLCODE;
  const at = sendsValue ? 3 : 2;
  const word = (depth: number) => stack.at(-1 - depth) ?? 0n;
  const end = (depth: number) => (word(depth + 1) === 0n ? 0n : word(depth) + word(depth + 1));
  const ends = [end(at), end(at + 2), BigInt(memory.length)];
  const words = (ends.reduce((most, one) => (one > most ? one : most)) + 31n) / 32n;
  const expansion = memoryGas(words) - memoryGas(BigInt(memory.length) / 32n);
  return gas >= COLD_CALL_GAS + expansion + (sendsValue && word(2) > 0n ? VALUE_TRANSFER_GAS : 0n);
}

/** Returns the gas of a memory of `words` words. */
function memoryGas(words: bigint): bigint {
  return words * 3n + (words * words) / 512n;
}
