import {
  type CustomPrecompile,
  EVMError,
  getActivePrecompiles,
  type PrecompileFunc,
  type PrecompileInput,
} from '@ethereumjs/evm';
import { atLeast } from '../../../protocol/rules/evm-level.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import { commonAt } from './common.ts';
import { loadPointEvaluation } from './kzg.ts';

const P256_VERIFY = '0000000000000000000000000000000000000100';
const POINT_EVALUATION = '000000000000000000000000000000000000000a';

let every: ReadonlyMap<string, PrecompileFunc> | undefined;

/**
 * Returns the library's precompile at an address (hex without 0x).
 * It is the newest fork's, so that rules can enable it earlier.
 */
function library(address: string): PrecompileFunc {
  every ??= getActivePrecompiles(commonAt('osaka', 1));
  const precompile = every.get(address);
  if (precompile === undefined) throw new Error(`the EVM library has no precompile at 0x${address}`);
  return precompile;
}

/**
 * Returns the rollup's own precompiles: input limits, and P256VERIFY at its price.
 * Counterparts: `PrecompiledContractsFjord` and `PrecompiledContractsGranite` of op-geth, `OpPrecompiles` of op-revm.
 */
export function customPrecompiles(rules: Rules): CustomPrecompile[] {
  const { inputLimits, p256VerifyGas } = rules.precompiles;
  const custom = new Map<string, PrecompileFunc>();
  if (atLeast(rules.evm, 'cancun')) custom.set(POINT_EVALUATION, pointEvaluation);
  if (p256VerifyGas !== undefined) custom.set(P256_VERIFY, p256Verify(BigInt(p256VerifyGas)));
  for (const [address, limit] of Object.entries(inputLimits)) {
    const key = address.slice(2).toLowerCase();
    custom.set(key, limited(custom.get(key) ?? library(key), limit));
  }
  return [...custom].map(([address, precompile]) => ({ address: `0x${address}` satisfies Hex, function: precompile }));
}

/** Returns every precompile under the rules, by address (hex without 0x; geth: `ActivePrecompiles`). */
export function rulePrecompiles(rules: Rules, chainId: number): ReadonlyMap<string, PrecompileFunc> {
  return getActivePrecompiles(commonAt(rules.evm, chainId), customPrecompiles(rules));
}

function limited(precompile: PrecompileFunc, limit: number): PrecompileFunc {
  return (input) => (input.data.length > limit ? failure(input) : precompile(input));
}

/** RIP-7212: the library's check at the rollup's price. The library charges that of EIP-7951. */
function p256Verify(gas: bigint): PrecompileFunc {
  return async (input) => {
    if (input.gasLimit < gas) return failure(input);
    const result = await library(P256_VERIFY)({ ...input, gasLimit: 1_000_000n });
    return { ...result, executionGasUsed: gas };
  };
}

/** Point evaluation of EIP-4844. The large trusted setup is loaded at the first call. */
const pointEvaluation: PrecompileFunc = async (input) => {
  input.common.customCrypto.kzg ??= await loadPointEvaluation();
  return library(POINT_EVALUATION)(input);
};

function failure(input: PrecompileInput): ReturnType<PrecompileFunc> {
  return {
    returnValue: new Uint8Array(0),
    executionGasUsed: input.gasLimit,
    exceptionError: new EVMError(EVMError.errorMessages.OUT_OF_GAS),
  };
}
