import { join } from 'node:path';
import { readText, remove, replaceFile } from '../../../system/files/folder.ts';
import type { NodeView, Plan } from '../../plan/plan.ts';
import type { Paths } from '../../state/paths.ts';

/**
 * Says which rollup node was told to stop sequencing for a move of its role. A rollup node keeps that over a restart.
 * A supervisor that ends in between would leave a chain without a sequencer.
 */
export function markStopped(paths: Paths, task: string): void {
  replaceFile(fileOf(paths), task);
}

/** Says that the move is over. */
export function dropStopped(paths: Paths): void {
  remove(fileOf(paths));
}

/** Returns the sequencer of the chain whose role was about to move when the devnet ended; undefined if none was. */
export function stoppedSequencer(paths: Paths, { network }: Plan): NodeView | undefined {
  const task = readText(fileOf(paths));
  const chain = network.chains.find(({ nodes }) => nodes.some(({ cl }) => cl.task === task));
  return chain?.nodes.find(({ role }) => role === 'sequencer');
}

function fileOf({ folder }: Paths): string {
  return join(folder, 'stopped-sequencer');
}
