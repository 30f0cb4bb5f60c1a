import type { OpcodeGroup } from '../../evm/table/opcode.ts';
import { renderInspectedLoop, renderLoop } from './interpreter.ts';
import { renderPermutation } from './permutation.ts';

/** Returns the sources that are made of a table of opcodes, by their path in the folder of the others. */
export function generatedSources(groups: readonly OpcodeGroup[]): ReadonlyMap<string, string> {
  return new Map([
    ['generated/run.ts', renderLoop(groups)],
    ['generated/inspect.ts', renderInspectedLoop(groups)],
    ['generated/permutation.ts', renderPermutation()],
  ]);
}
