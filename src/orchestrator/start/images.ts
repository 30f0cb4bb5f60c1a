import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { packageRoot } from '../../system/program/entry.ts';
import { packContext } from '../image/package-files.ts';
import { anvilPath } from '../load/anvil.ts';
import type { Plan } from '../plan/plan.ts';
import { missingFor, type OwnImage } from '../runtimes/docker/containers.ts';
import type { Io } from '../terminal/io.ts';
import { showTasks } from '../terminal/task-list.ts';

/** Variable with the image that the package's own one is built upon. */
const BASE = 'DEVNET_BASE_IMAGE';

/**
 * Builds and pulls the images of a plan that are missing, and shows the progress.
 * @throws Failure (exit 4) if containers cannot run here, or there is no way to an image
 */
export async function ensureImages(io: Io, plan: Plan): Promise<void> {
  const missing = await missingFor(plan, io.env, ownImage(io));
  if (missing.length === 0) return;
  await showTasks(
    io,
    'preparing images',
    missing.map(({ title }) => title),
    (list) =>
      Promise.all(
        missing.map(async ({ title, run }) => {
          try {
            await run((text) => list.detail(title, text.split('\n')[0] ?? ''));
            list.done(title);
          } catch (error) {
            list.failed(title, messageOf(error));
            throw error;
          }
        }),
      ),
  );
}

/** Returns how the package's own image is built. */
export function ownImage({ env }: Io): OwnImage {
  const base = env[BASE];
  return {
    ...(base ? { base } : {}),
    context() {
      return packContext(packageRoot(), installedAnvil(env));
    },
  };
}

/** Returns the path of anvil's binary, which goes into the image. @throws Failure `docker` (exit 4) if it is absent */
export function installedAnvil(env: Io['env']): string {
  const anvil = anvilPath(env);
  if (anvil.includes('/')) return anvil;
  throw new Failure('docker', "cannot build the package's image: anvil is not installed", {
    exit: EXIT.lacking,
    hint: 'npm install @foundry-rs/anvil, or name its binary: ANVIL=/path/of/anvil',
  });
}
