import type { PictureChain } from '../../orchestrator/dashboard/picture-type.ts';
import { timeOn } from '../../orchestrator/status/forks.ts';

/** Returns how far a node has confirmed a block. */
export function stateOfBlock(number: number, { safe, finalized }: PictureChain['nodes'][number]): string {
  if (number <= (finalized ?? -1)) return 'finalized';
  return number <= (safe ?? -1) ? 'safe' : 'unsafe';
}

/** Returns the forks that a block is the first to have on a node. `before`: the time of its parent (Unix seconds). */
export function forksAt(
  { forks }: PictureChain,
  node: string,
  time: number,
  before: number | undefined,
): readonly string[] {
  if (before === undefined) return [];
  return forks
    .filter((row) => {
      const activation = timeOn(row, node);
      return activation !== null && before < activation && activation <= time;
    })
    .map(({ fork }) => fork);
}
