import { getActivePrecompiles, type PrecompileInput } from '@ethereumjs/evm';
import { concat } from '../../../../../src/protocol/bytes.ts';
import { bytesToHex } from '../../../../../src/protocol/hex.ts';
import type { EvmLevel } from '../../../../../src/protocol/rules/rules.ts';
import { libraryCommon } from '../../support/library-state.ts';
import { atLevel } from '../level.ts';
import { precompileInputs } from '../precompile-inputs.ts';
import type { Random } from '../random.ts';
import { type Action, type CallKind, frame, type Program, program } from './program.ts';

const KINDS: readonly CallKind[] = ['call', 'callcode', 'delegatecall', 'staticcall'];
/** Enough gas for any of the inputs. */
const GAS = 400_000;
const POINT_EVALUATION = 0x0a;

/** Makes programs that call each precompile: with a right input, and with wrong ones, its price and less gas. */
export async function precompileEdges(
  level: EvmLevel,
  random: Random,
  options: { readonly pointEvaluation: boolean },
): Promise<{ right: Program[]; edges: Program[] }> {
  const right: Program[] = [];
  const programs: Program[] = [];
  for (const [target, make] of precompileInputs(level, atLevel(level, 'osaka'))) {
    const to = Buffer.from(target).readUInt16BE(18);
    if (to === POINT_EVALUATION && !options.pointEvaluation) continue;
    const valid = make(random);
    right.push(callsOf(to, valid, [GAS]));
    const inputs = [
      new Uint8Array(0),
      valid.subarray(0, -1),
      concat(valid, Uint8Array.of(1)),
      new Uint8Array(valid.length),
      new Uint8Array(valid.length).fill(0xff),
      valid.with(-1, (valid.at(-1) ?? 0) ^ 1),
    ];
    for (const input of inputs) programs.push(callsOf(to, input, [GAS]));
    const price = await priceOf(level, target, valid);
    programs.push(callsOf(to, valid, [price - 1, price, price + 1, 0]));
    const emptyPrice = await priceOf(level, target, new Uint8Array(0));
    if (emptyPrice < GAS) programs.push(callsOf(to, new Uint8Array(0), [emptyPrice - 1, emptyPrice]));
    programs.push(
      program(`precompile ${to} as the recipient`, frame([]), { to, value: 1n, gas: 500_000 }),
      program(
        `precompile ${to} by each kind of call`,
        frame(KINDS.map((by): Action => ({ do: 'call', by, to, input: bytesToHex(valid), gas: GAS, value: 1n }))),
      ),
      program(
        `precompile ${to} as an account`,
        frame([
          { do: 'read', what: 'codehash', of: to },
          { do: 'pay', to, value: 1n },
        ]),
      ),
    );
  }
  return { right, edges: programs };
}

function callsOf(to: number, bytes: Uint8Array, prices: readonly number[]): Program {
  const input = bytesToHex(bytes);
  const calls = prices.filter((gas) => gas >= 0).map((gas): Action => ({ do: 'call', by: 'call', to, input, gas }));
  return program(`precompile ${to} with ${input.slice(0, 66)}… and ${prices.join(', ')} gas`, frame(calls));
}

/** Returns the gas that the EVM library charges. */
async function priceOf(level: EvmLevel, target: Uint8Array, data: Uint8Array): Promise<number> {
  const common = libraryCommon(level);
  const { createEVM, NobleBN254, paramsEVM } = await import('@ethereumjs/evm');
  common.updateParams(paramsEVM);
  const _EVM = await createEVM({ common, bn254: new NobleBN254() });
  const precompile = getActivePrecompiles(common).get(Buffer.from(target).toString('hex'))!;
  const input = { data, gasLimit: BigInt(GAS), common, _EVM } as PrecompileInput;
  return Number((await precompile(input)).executionGasUsed);
}
