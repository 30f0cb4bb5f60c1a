import { Evm } from '../../../src/evm/machine/evm.ts';
import { address, CONTEXT, SENDER } from '../../evm/support/context.ts';
import { MemoryState } from '../../evm/support/memory-state.ts';
import { evmInstance } from '../../evm/support/module.ts';

const CONTRACT = address('c0de');
/** Gas of a slice, as a client would run it. The engine replaces its first code of the loop between two slices. */
const SLICE = 1_000_000n;

/** Calls a contract in our EVM, over a state in memory. Returns the gas that it used. */
export function callOurs(code: Uint8Array, gas: bigint): bigint {
  const state = new MemoryState(new Map([[CONTRACT, { balance: 0n, nonce: 1n, code, storage: new Map() }]]));
  const evm = new Evm({ instance: evmInstance(), level: 'osaka', state, context: CONTEXT, precompiles: new Map() });
  evm.begin({ caller: SENDER, to: CONTRACT, value: 0n, data: new Uint8Array(), gas });
  let result = evm.step(SLICE);
  while (result === undefined) result = evm.step(SLICE);
  if (result.outcome !== 'success') throw new Error(`our EVM ended with ${result.outcome}`);
  return gas - result.gasLeft;
}
