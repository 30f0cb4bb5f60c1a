import { OPCODE_GROUPS } from '../../../../src/evm/table/index.ts';
import { useLoop } from '../../../../src/nodes/execution/evm/instances.ts';
import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import { PLANTS, type Plant, plantedLoop } from '../../../evm/differential/plant.ts';
import type { Difference } from './compare.ts';
import { againstLibrary } from './run.ts';

/** Errors for the loop of our executor: those of the fuzzer, and a wrong price of each opcode. */
export const EXECUTOR_PLANTS: readonly Plant[] = [
  ...PLANTS,
  ...OPCODE_GROUPS.flatMap(({ opcodes }) => opcodes).flatMap(({ name, gas }): readonly Plant[] =>
    typeof gas === 'number' ? [{ opcode: name, row: { gas: gas + 1 } }] : [],
  ),
];

/** Runs our executor with a planted error, against the library. Returns the first difference. */
export async function withPlantedError(
  plant: Plant,
  seed: number,
  level: EvmLevel,
  count: number,
): Promise<readonly Difference[]> {
  useLoop(await plantedLoop(plant));
  try {
    const { differences } = await againstLibrary(seed, level, count, { pointEvaluation: false });
    return differences;
  } finally {
    useLoop(undefined);
  }
}
