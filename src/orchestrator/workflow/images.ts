import { packageRoot } from '../../system/entry.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Plan } from '../plan/plan.ts';
import { connectDocker, type Daemon } from '../run/runtimes/docker/connect.ts';
import { buildImage, hasImage, pullImage } from '../run/runtimes/docker/image.ts';
import { IMAGE_LABEL } from '../run/runtimes/docker/labels.ts';
import { anvilPath } from './anvil.ts';
import type { Io } from './command.ts';
import { packImage } from './image-context.ts';
import { showTasks } from './task-list.ts';

/** Variable with the image that the package's own one is built upon. */
const BASE = 'DEVNET_BASE_IMAGE';

/**
 * Builds and pulls the images of a plan that Docker does not have, and shows the progress.
 * @throws Failure (exit 4) where Docker cannot be used, or has no way to an image
 */
export async function ensureImages(io: Io, plan: Plan): Promise<void> {
  const daemon = await connectDocker(io.env);
  const given = plan.tasks.flatMap(({ container }) =>
    container === undefined || container.own ? [] : [container.image],
  );
  const names = [...new Set([plan.image, ...given])];
  const present = await Promise.all(names.map((name) => hasImage(daemon, name)));
  const missing = names.filter((_, index) => present[index] === false);
  if (missing.length === 0) return;
  const verbs = new Map(missing.map((name) => [name, name === plan.image ? `build ${name}` : `pull ${name}`]));
  await showTasks(io, 'preparing images', [...verbs.values()], (list) =>
    Promise.all(
      [...verbs].map(async ([name, id]) => {
        const progress = (text: string) => list.detail(id, text.split('\n')[0] ?? '');
        try {
          if (name === plan.image) await buildOwn(io, daemon, name, progress);
          else await pullImage(daemon, name, progress);
          list.done(id);
        } catch (error) {
          list.failed(id, error instanceof Error ? error.message : String(error));
          throw error;
        }
      }),
    ),
  );
}

async function buildOwn(io: Io, daemon: Daemon, name: string, progress: (text: string) => void): Promise<void> {
  const anvil = anvilPath(io.env);
  if (!anvil.includes('/'))
    throw new Failure('docker', "cannot build the package's image: anvil is not installed", {
      exit: EXIT.lacking,
      hint: 'npm install @foundry-rs/anvil, or name its binary: ANVIL=/path/of/anvil',
    });
  const context = packImage(packageRoot(), anvil);
  await buildImage(daemon, name, context, io.env[BASE], { [IMAGE_LABEL]: name }, progress);
}
