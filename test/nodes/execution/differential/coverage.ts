import { createEVM, type EVM, getActivePrecompiles } from '@ethereumjs/evm';
import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import { libraryCommon } from '../support/library-state.ts';

/** Executed opcodes and precompiles with their counts. */
export interface Coverage {
  readonly opcodes: Map<number, number>;
  /** Successful calls by address (hex without 0x). */
  readonly precompiles: Map<string, number>;
}

export const newCoverage = (): Coverage => ({ opcodes: new Map(), precompiles: new Map() });

interface Internals {
  readonly _opcodeMap: {
    opcodeInfo: { code: number; isInvalid: boolean };
    opHandler: (...args: unknown[]) => unknown;
  }[];
  readonly _precompiles: Map<string, (input: unknown) => Promise<{ exceptionError?: unknown }>>;
}

/** Counts executions through the library's tables. */
export function inspect(evm: unknown, { opcodes, precompiles }: Coverage): void {
  const { _opcodeMap: map, _precompiles: table } = evm as Internals;
  for (const entry of new Set(map)) {
    const { code } = entry.opcodeInfo;
    const run = entry.opHandler;
    entry.opHandler = (...args) => {
      opcodes.set(code, (opcodes.get(code) ?? 0) + 1);
      return run.apply(null, args);
    };
  }
  for (const [address, run] of [...table])
    table.set(address, async (input) => {
      const result = await run(input);
      if (result.exceptionError === undefined) precompiles.set(address, (precompiles.get(address) ?? 0) + 1);
      return result;
    });
}

/** Returns the opcodes (with names) and precompiles of a level that nothing executed. */
export async function missing(
  level: EvmLevel,
  coverage: Coverage,
): Promise<{ all: { opcodes: number; precompiles: number }; missing: string[] }> {
  const common = libraryCommon(level);
  const evm: EVM = await createEVM({ common });
  const opcodes = [...evm.getActiveOpcodes()].filter(([, { isInvalid }]) => !isInvalid);
  const precompiles = [...getActivePrecompiles(common).keys()];
  return {
    all: { opcodes: opcodes.length, precompiles: precompiles.length },
    missing: [
      ...opcodes
        .filter(([code]) => !coverage.opcodes.has(code))
        .map(([code, { name }]) => `${name} (0x${code.toString(16)})`),
      ...precompiles
        .filter((address) => !coverage.precompiles.has(address))
        .map((address) => `precompile 0x${address.replace(/^0+/, '')}`),
    ],
  };
}
