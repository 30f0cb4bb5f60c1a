import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Environment } from './certificates.ts';
import { addressOf, clientAt } from './connect.ts';
import { statusOf } from './errors.ts';
import { filterOf, type Mark } from './labels.ts';

/** Time (ms) in which a daemon may still make what a killed supervisor asked for. */
const PENDING_CREATION_MS = 1500;

/**
 * Removes all containers and networks that carry a mark, and returns their number.
 * `pending`: a request of a killed supervisor may still be at work, so that an empty answer counts only after a while.
 */
export async function removeMarked(env: Environment, mark: Mark, pending = false): Promise<number> {
  const docker = await clientAt(addressOf(env), env);
  const deadline = performance.now() + (pending ? 12_000 : 6000);
  let removed = 0;
  let emptySince: number | undefined;
  for (;;) {
    const left = await removeOnce(docker, mark);
    removed += left.removed;
    const now = performance.now();
    if (left.total > 0) emptySince = undefined;
    else emptySince ??= now;
    if (emptySince !== undefined && now - emptySince >= (pending ? PENDING_CREATION_MS : 0)) return removed;
    if (now > deadline) throw new Error(`${left.total} containers and networks of ${mark.folder} resist`);
    await sleep(100);
  }
}

async function removeOnce(docker: Docker, mark: Mark): Promise<{ readonly total: number; readonly removed: number }> {
  const filters = JSON.stringify(filterOf(mark));
  const containers = await docker.listContainers({ all: true, filters });
  const removals = await Promise.all(
    containers.map(({ Id }) => succeeds(docker.getContainer(Id).remove({ force: true, v: true }))),
  );
  const networks = await docker.listNetworks({ filters });
  const left = await Promise.all(networks.map(({ Id }) => succeeds(docker.getNetwork(Id).remove())));
  return { total: containers.length + networks.length, removed: [...removals, ...left].filter(Boolean).length };
}

/** Returns whether a removal worked. A thing that is gone, or going, is no fault. */
async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ([404, 409, 403, 500].includes(statusOf(error) ?? 0)) return false;
    throw error;
  }
}
