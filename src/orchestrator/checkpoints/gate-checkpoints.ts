import { join } from 'node:path';
import { readText, remove } from '../../system/files/folder.ts';
import type { PointOrder } from '../../system/time/checkpoints.ts';
import type { SnapshotRequest } from '../control/requests.ts';
import type { Paths } from '../state/paths.ts';
import { hashOf, type SnapshotAnswer } from './snapshots.ts';

/** Snapshots that a network keeps for L1's gate. Each is a copy of all its data. */
const MOST = 100;

/** Numbers of the points of L1's gate begin above those of other snapshots. */
const FIRST = 1_000_000;

/**
 * Serves `evm_snapshot` and `evm_revert` of L1's gate for the whole network. A return uses up its snapshot and all
 * later ones, as with anvil. `ask` takes snapshots and goes back to them.
 */
export function gatePoints(
  paths: Paths,
  ask: (request: SnapshotRequest) => Promise<SnapshotAnswer>,
): (order: PointOrder) => Promise<number> {
  const taken = new Map<number, { readonly folder: string; readonly at: number; readonly spec: string }>();
  let last = 0;

  async function take(): Promise<number> {
    if (taken.size >= MOST)
      throw new Error(`the network has ${MOST} snapshots of evm_snapshot, the most that it keeps: evm_revert to one`);
    const number = ++last;
    const folder = join(paths.folder, 'gate-snapshots', String(number));
    remove(folder);
    const spec = hashOf(readText(paths.spec) ?? '');
    const { at } = await ask({ id: 0, method: 'snapshot', action: 'take', folder, point: FIRST + number });
    taken.set(number, { folder, at, spec });
    return number;
  }

  async function revert(number: number): Promise<number> {
    const found = taken.get(number);
    if (found === undefined) return 0;
    await ask({ id: 0, method: 'snapshot', action: 'revert', point: FIRST + number, ...found });
    for (const [each, { folder }] of taken) {
      if (each < number) continue;
      taken.delete(each);
      remove(folder);
    }
    return 1;
  }

  return (order) => (order.action === 'take' ? take() : revert(order.number));
}
