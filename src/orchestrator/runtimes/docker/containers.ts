import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Plan } from '../../plan/plan.ts';
import type { Environment } from './certificates.ts';
import { statusOf } from './errors.ts';
import type { OwnImage, Progress } from './image.ts';
import { filterOf, IMAGE_LABEL, type Mark } from './labels.ts';
import type { Preparation } from './missing.ts';

export type { Mark, OwnImage, Preparation };

/** Time (ms) in which a daemon may still make what a killed supervisor asked for. */
const PENDING_CREATION_MS = 1500;

/** Returns whether a task of the plan runs in a container. */
export function usesContainers(plan: Plan): boolean {
  return plan.tasks.some(({ container }) => container !== undefined);
}

/**
 * Removes all containers and networks that carry a mark, and returns their number.
 * `pending`: a request of a killed supervisor may still be at work, so that an empty answer counts only after a while.
 */
export async function removeContainers(env: Environment, mark: Mark, pending = false): Promise<number> {
  const { addressOf, clientAt } = await import('./connect.ts');
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

/**
 * Returns what the tasks of a plan need before their start and the machine does not have yet.
 * @throws Failure `docker` (exit 4) if the containers of the plan cannot run here
 */
export async function missingFor(plan: Plan, env: Environment, ours: OwnImage): Promise<readonly Preparation[]> {
  if (!usesContainers(plan)) return [];
  const { missingImages } = await import('./missing.ts');
  return missingImages(plan, env, ours);
}

/**
 * Builds the package's own image with the daemon. `build`: the name that each build of the package has for it.
 * @throws Failure `docker` (exit 4)
 */
export async function buildOwnImage(
  env: Environment,
  names: { readonly tag: string; readonly build: string; readonly labels: Readonly<Record<string, string>> },
  ours: OwnImage,
  progress: Progress,
): Promise<void> {
  const [{ connectDocker }, { buildImage }] = await Promise.all([import('./connect.ts'), import('./image.ts')]);
  await buildImage(
    await connectDocker(env),
    names.tag,
    ours,
    { ...names.labels, [IMAGE_LABEL]: names.build },
    progress,
  );
}
