import type { Devnet as Found } from '../../orchestrator/devnet/select.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import type { Devnet, Snapshot } from './devnet-types.ts';
import { translateErrors } from './errors.ts';

/** Makes what takes snapshots of a network and goes back to them. Its code is loaded with the first call. */
export function snapshotsOf(io: Io, running: () => Found): Pick<Devnet, 'snapshot' | 'revert'> {
  const load = () => import('../../orchestrator/snapshots/snapshot.ts');
  return {
    snapshot: (name) =>
      translateErrors(io, async (): Promise<Snapshot> => {
        const { saveSnapshot, takeUnnamed } = await load();
        if (name === undefined) return { id: await takeUnnamed(running()) };
        await saveSnapshot(io, running(), name);
        return { id: name };
      }),
    revert: ({ id }) =>
      translateErrors(io, async () => {
        const { isUnnamed, restoreSnapshot, restoreUnnamed } = await load();
        if (isUnnamed(id)) await restoreUnnamed(running(), id);
        else await restoreSnapshot(io, running(), id);
      }),
  };
}
