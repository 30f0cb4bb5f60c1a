import { paramsEVM } from '@ethereumjs/evm';
import { OPCODE_TABLE_CACHE } from '../../../../src/nodes/execution/evm/opcode-table-cache.ts';
import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import { libraryCommon } from '../support/library-state.ts';
import type { Difference } from './compare.ts';
import { againstLibrary } from './run.ts';

type GasTable = Record<string, Record<string, number | bigint | null>>;

const table = paramsEVM as unknown as GasTable;

/** Returns the names of all gas prices of a level. */
export function prices(level: EvmLevel): string[] {
  const common = libraryCommon(level);
  common.updateParams(paramsEVM);
  const names = new Set(Object.values(table).flatMap((section) => Object.keys(section)));
  return [...names].filter((name) => {
    if (!name.endsWith('Gas')) return false;
    try {
      return common.param(name) >= 0n;
    } catch {
      return false;
    }
  });
}

/** Runs our executor with one gas price changed by one, against the library. Returns the difference. */
export async function withWrongPrice(
  name: string,
  seed: number,
  level: EvmLevel,
  count: number,
): Promise<readonly Difference[]> {
  const genuine = structuredClone(table);
  const sections = Object.values(table).filter((section) => typeof section[name] === 'number');
  const change = (by: number) => {
    for (const section of sections) section[name] = (section[name] as number) + by;
    for (const table of Object.values(OPCODE_TABLE_CACHE)) table.clear();
  };
  change(1);
  try {
    const { differences } = await againstLibrary(seed, level, count, {
      gasTable: genuine as unknown as typeof paramsEVM,
      pointEvaluation: false,
    });
    return differences;
  } finally {
    change(-1);
  }
}
