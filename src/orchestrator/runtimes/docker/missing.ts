import type { Plan } from '../../plan/plan.ts';
import type { Environment } from './certificates.ts';
import { connectDocker } from './connect.ts';
import { buildImage, hasImage, type OwnImage, type Progress, pullImage } from './image.ts';
import { IMAGE_LABEL } from './labels.ts';

/** Work before the start of a network. */
export interface Preparation {
  readonly title: string;
  /** @throws Failure (exit 4) */
  run(progress: Progress): Promise<void>;
}

/**
 * Returns how to get the images of a plan that Docker does not have.
 * @throws Failure `docker` (exit 4) if Docker cannot be used, or has an image for another processor
 */
export async function missingImages(plan: Plan, env: Environment, ours: OwnImage): Promise<readonly Preparation[]> {
  const daemon = await connectDocker(env);
  const used = plan.tasks.flatMap(({ container }) => (container === undefined ? [] : [container.image]));
  const names = [...new Set([plan.image, ...used])];
  const present = await Promise.all(names.map((name) => hasImage(daemon, name)));
  return names
    .filter((_, index) => present[index] === false)
    .map((name) =>
      name === plan.image
        ? {
            title: `build ${name}`,
            run: (progress) => buildImage(daemon, name, ours, { [IMAGE_LABEL]: name }, progress),
          }
        : {
            title: `pull ${name}`,
            async run(progress) {
              await pullImage(daemon, name, progress);
              // A name with an image for one processor only is pulled whatever the processor is.
              await hasImage(daemon, name);
            },
          },
    );
}
