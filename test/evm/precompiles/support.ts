import { createEVM, getActivePrecompiles, NobleBN254, type PrecompileInput } from '@ethereumjs/evm';
import type { KZG } from '@ethereumjs/util';
import type { PrecompileEnd, PrecompileResult } from '../../../src/evm/machine/state.ts';
import { activePrecompiles } from '../../../src/evm/precompiles/active.ts';
import type { PrecompileLibraries } from '../../../src/evm/precompiles/precompile.ts';
import { recoverPublicKey } from '../../../src/nodes/crypto/secp256k1.ts';
import { loadKzgVerifier } from '../../../src/nodes/kzg/kzg.ts';
import { uintBe } from '../../../src/protocol/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../src/protocol/resumable.ts';
import type { EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import type { PrecompileRules } from '../../../src/protocol/rules/rules.ts';
import { libraryCommon } from '../../nodes/execution/support/library-state.ts';

/** Enough gas for the inputs of tests, and too little for work of more than some milliseconds. */
export const GAS = 1_000_000n;

/** The libraries of the execution client. */
export const LIBRARIES: PrecompileLibraries = {
  recoverPublicKey,
  pointVerifier: async () => (await loadKzgVerifier()).verifyPoint,
};

/** A precompile that has done all of its steps when it returns. */
type Settled = (input: Uint8Array, gas: bigint) => PrecompileResult | Promise<PrecompileResult>;

const settled = (end: PrecompileEnd) => ('next' in end ? runToCompletion(end) : end);

/** A precompile of plain Ethereum at a level, or under rules of its own. */
export function ours(
  address: number,
  evm: EvmLevel = 'osaka',
  precompiles: PrecompileRules = { inputLimits: {} },
): Settled | undefined {
  const precompile = activePrecompiles({ evm, precompiles }, LIBRARIES).get(bytesToHex(uintBe(address, 20)));
  if (precompile === undefined) return undefined;
  return (input, gas) => {
    const result = precompile(input, gas);
    return result instanceof Promise ? result.then(settled) : settled(result);
  };
}

/** Runs a precompile of plain Ethereum. */
export async function run(address: number, input: Uint8Array, evm: EvmLevel = 'osaka', gas = GAS) {
  const precompile = ours(address, evm);
  if (precompile === undefined) throw new Error(`no precompile at ${address}`);
  return precompile(input, gas);
}

/** Runs a precompile on hex data without 0x and returns its output as such, or why it fails. */
export async function outputOf(address: number, input: string, evm: EvmLevel = 'osaka'): Promise<string> {
  const result = await run(address, hexToBytes(`0x${input.replaceAll(/\s/g, '')}`), evm);
  return 'failure' in result ? result.failure : bytesToHex(result.output).slice(2);
}

/** Returns the gas of an input. */
export async function gasOf(address: number, input: Uint8Array, evm: EvmLevel = 'osaka'): Promise<bigint> {
  const result = await run(address, input, evm, 10n ** 9n);
  if ('failure' in result) throw new Error(result.failure);
  return result.gasUsed;
}

/** Returns the EVM library's precompiles at a level, as functions like ours. */
export async function libraryPrecompiles(level: EvmLevel): Promise<(address: number) => Settled> {
  const common = libraryCommon(level);
  const { verifyPoint } = await loadKzgVerifier();
  const verifyProof: KZG['verifyProof'] = (commitment, z, y, proof) =>
    verifyPoint(hexToBytes(commitment), hexToBytes(z), hexToBytes(y), hexToBytes(proof));
  common.customCrypto.kzg = { verifyProof } as KZG;
  const _EVM = await createEVM({ common, bn254: new NobleBN254() });
  const precompiles = getActivePrecompiles(common);
  return (address) =>
    async (data, gasLimit): Promise<PrecompileResult> => {
      const precompile = precompiles.get(bytesToHex(uintBe(address, 20)).slice(2));
      if (precompile === undefined) throw new Error(`the library has no precompile at ${address}`);
      const input = { data, gasLimit, common, _EVM } as PrecompileInput;
      const { exceptionError, executionGasUsed, returnValue } = await precompile(input);
      if (exceptionError !== undefined) return { failure: exceptionError.error };
      return { output: returnValue, gasUsed: executionGasUsed };
    };
}
