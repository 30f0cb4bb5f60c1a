import { join } from 'node:path';
import type { CheckpointOrder } from '../../system/channel/messages.ts';
import { readText, remove } from '../../system/files/folder.ts';
import type { SnapshotRequest } from '../control/requests.ts';
import type { Paths } from '../state/paths.ts';
import { specHash } from '../state/spec-hash.ts';
import type { SnapshotAnswer } from './snapshots.ts';

/** Snapshots that a network keeps for L1's gate. Each is a copy of all its data. */
const MAX_SNAPSHOTS = 100;

/** The numbers of the checkpoints of L1's gate begin above those of other snapshots. */
const NUMBER_OFFSET = 1_000_000;

/**
 * Serves `evm_snapshot` and `evm_revert` of L1's gate for the whole network. A restore uses up its snapshot and all
 * later ones, as with anvil. `ask` takes and restores snapshots.
 */
export function gateCheckpoints(
  paths: Paths,
  ask: (request: SnapshotRequest) => Promise<SnapshotAnswer>,
): (order: CheckpointOrder) => Promise<number> {
  const snapshots = new Map<number, { readonly folder: string; readonly at: number; readonly spec: string }>();
  let last = 0;

  async function take(): Promise<number> {
    if (snapshots.size >= MAX_SNAPSHOTS)
      throw new Error(
        `the network has ${MAX_SNAPSHOTS} snapshots of evm_snapshot, the most that it keeps: evm_revert to one`,
      );
    const number = ++last;
    const folder = join(paths.folder, 'gate-snapshots', String(number));
    remove(folder);
    const spec = specHash(readText(paths.spec) ?? '');
    const { at } = await ask({ id: 0, method: 'snapshot', action: 'take', folder, point: NUMBER_OFFSET + number });
    snapshots.set(number, { folder, at, spec });
    return number;
  }

  async function restore(number: number): Promise<number> {
    const snapshot = snapshots.get(number);
    if (snapshot === undefined) return 0;
    await ask({ id: 0, method: 'snapshot', action: 'revert', point: NUMBER_OFFSET + number, ...snapshot });
    for (const [each, { folder }] of snapshots) {
      if (each < number) continue;
      snapshots.delete(each);
      remove(folder);
    }
    return 1;
  }

  return (order) => (order.action === 'take' ? take() : restore(order.number));
}
