import { OPCODE_GROUPS } from '../../../../src/evm/table/index.ts';
import { useLoop } from '../../../../src/nodes/execution/evm/instances.ts';
import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import { PLANTS, type Plant, plantedLoop } from '../../../evm/differential/plant.ts';
import type { Difference } from './compare.ts';
import { directedAgainstLibrary } from './directed/compare.ts';
import { directedPrograms } from './directed/suite.ts';
import { againstLibrary } from './run.ts';

/** Errors for the loop of our executor: those of the fuzzer, and a wrong price of each opcode. */
export const EXECUTOR_PLANTS: readonly Plant[] = [
  ...PLANTS,
  ...OPCODE_GROUPS.flatMap(({ opcodes }) => opcodes).flatMap(({ name, gas }): readonly Plant[] =>
    typeof gas === 'number' ? [{ opcode: name, row: { gas: gas + 1 } }] : [],
  ),
];

/** Directed programs that show errors which random transactions do not. */
const DIRECTED = { oneIn: 5, operands: 5, precompiles: 100, random: 0, pointEvaluation: false };

/** Whether transactions of a level, or else directed programs of it or of an earlier one, show a planted error. */
export async function isCaught(plant: Plant, seed: number, level: EvmLevel, count: number): Promise<boolean> {
  if ((await withPlantedError(plant, seed, level, count)).length > 0) return true;
  return withLoop(plant, async () => {
    for (const each of [level, 'shanghai'] as const) {
      const programs = await directedPrograms(each, seed, DIRECTED);
      if ((await directedAgainstLibrary(each, programs, DIRECTED)).failure !== undefined) return true;
    }
    return false;
  });
}

/** Runs our executor with a planted error, against the library. Returns the first difference. */
export async function withPlantedError(
  plant: Plant,
  seed: number,
  level: EvmLevel,
  count: number,
): Promise<readonly Difference[]> {
  return withLoop(plant, async () => {
    const { differences } = await againstLibrary(seed, level, count, { pointEvaluation: false });
    return differences;
  });
}

async function withLoop<Result>(plant: Plant, work: () => Promise<Result>): Promise<Result> {
  useLoop(await plantedLoop(plant));
  try {
    return await work();
  } finally {
    useLoop(undefined);
  }
}
