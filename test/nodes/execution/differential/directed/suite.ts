import type { EvmLevel } from '../../../../../src/protocol/rules/rules.ts';
import { atLevel, LEVELS } from '../level.ts';
import { Random } from '../random.ts';
import { delegations } from './delegations.ts';
import { accessListsAndRefunds } from './lists.ts';
import { nestedChanges, repeatedChanges } from './nests.ts';
import { everyByte, operandEdges } from './opcodes.ts';
import { precompileEdges } from './precompiles.ts';
import type { Program } from './program.ts';
import { randomProgram } from './random-programs.ts';

/** Part of the directed programs that runs. */
export interface SuiteOptions {
  /** Each so-many-th program runs that crosses changes with frames, and that has operands at their edges. */
  readonly oneIn: number;
  readonly operands: number;
  /** Each so-many-th call of a precompile at its edges runs, beside one of each with a right input. */
  readonly precompiles: number;
  readonly random: number;
  readonly pointEvaluation: boolean;
}

/** Returns the directed programs of a level. A seed gives the same programs. */
export async function directedPrograms(level: EvmLevel, seed: number, options: SuiteOptions): Promise<Program[]> {
  const random = new Random(seed);
  // Each level takes another part, so that all levels together take more of them.
  const part = (programs: Iterable<Program>, oneIn: number) =>
    [...programs].filter((_, at) => (at + seed + LEVELS.indexOf(level)) % oneIn === 0);
  const crossed = [
    ...nestedChanges(level),
    ...accessListsAndRefunds(),
    ...(atLevel(level, 'prague') ? delegations() : []),
  ];
  const precompiles = await precompileEdges(level, random, options);
  return [
    ...everyByte(),
    ...repeatedChanges(level),
    ...part(operandEdges(level), options.operands),
    ...precompiles.right,
    ...part(precompiles.edges, options.precompiles),
    ...part(crossed, options.oneIn),
    ...Array.from({ length: options.random }, (_, at) => randomProgram(level, random, `random program ${at}`)),
  ];
}
