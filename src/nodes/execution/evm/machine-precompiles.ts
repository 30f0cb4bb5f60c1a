import type { EVM, ExecResult, PrecompileFunc } from '@ethereumjs/evm';
import type { Precompile, PrecompileResult } from '../../../evm/machine/state.ts';
import type { Hex } from '../../../protocol/types.ts';

/** Returns the precompiles of a block's EVM, overrides among them, as our EVM calls them. */
export function machinePrecompiles(evm: EVM): ReadonlyMap<Hex, Precompile> {
  const { common } = evm;
  // An override may have removed one: its entry has no function.
  const functions: ReadonlyMap<string, PrecompileFunc | undefined> = evm.precompiles;
  const precompiles = new Map<Hex, Precompile>();
  for (const [address, run] of functions) {
    if (run === undefined) continue;
    precompiles.set(`0x${address}`, (data, gasLimit) => {
      const result = run({ data, gasLimit, common, _EVM: evm });
      return result instanceof Promise ? result.then(resultOf) : resultOf(result);
    });
  }
  return precompiles;
}

function resultOf({ exceptionError, executionGasUsed, returnValue }: ExecResult): PrecompileResult {
  if (exceptionError !== undefined) return { failure: exceptionError.error };
  return { output: returnValue, gasUsed: executionGasUsed };
}
