import type { Plan } from '../../plan/plan.ts';
import type { Environment } from './certificates.ts';
import type { OwnImage, Progress } from './image.ts';
import type { Mark } from './labels.ts';
import type { Preparation } from './missing.ts';

export type { Mark, OwnImage, Preparation };

/** Returns whether a task of the plan runs in a container. */
export function usesContainers(plan: Plan): boolean {
  return plan.tasks.some(({ container }) => container !== undefined);
}

/** Removes the containers and networks that carry a mark (see `removeMarked`). */
export async function removeContainers(env: Environment, mark: Mark, pending = false): Promise<void> {
  const { removeMarked } = await import('./sweep.ts');
  await removeMarked(env, mark, pending);
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
  const [{ connectDocker }, { buildImage }, { IMAGE_LABEL }] = await Promise.all([
    import('./connect.ts'),
    import('./image.ts'),
    import('./labels.ts'),
  ]);
  await buildImage(
    await connectDocker(env),
    names.tag,
    ours,
    { ...names.labels, [IMAGE_LABEL]: names.build },
    progress,
  );
}
