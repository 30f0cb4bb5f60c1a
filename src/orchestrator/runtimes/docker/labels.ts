import { createHash } from 'node:crypto';
import type { ProcessIdentity } from '../../../system/process/identity.ts';
import type { Paths } from '../../state/paths.ts';

const PREFIX = 'rollup-devnet';

/** Label of every image, container and network of this package, with the devnet's folder as its value. */
export const FOLDER_LABEL = `${PREFIX}.folder`;
const SUPERVISOR_LABEL = `${PREFIX}.supervisor`;
export const IMAGE_LABEL = `${PREFIX}.build`;

/** What is known of a devnet's containers by their labels. */
export interface Mark {
  readonly folder: string;
  /** Absent: whatever supervisor started them. */
  readonly supervisor?: string;
}

/** Returns the mark of the containers that a supervisor starts. */
export function markOfDevnet(paths: Paths, supervisor: ProcessIdentity): Required<Mark> {
  return { folder: paths.folder, supervisor: `${supervisor.pid}-${supervisor.started}-${supervisor.boot}` };
}

/** Returns the labels of a devnet's container or network. */
export function labelsOf(mark: Required<Mark>, paths: Paths, task?: string): Record<string, string> {
  return {
    [FOLDER_LABEL]: mark.folder,
    [SUPERVISOR_LABEL]: mark.supervisor,
    [`${PREFIX}.devnet`]: paths.name,
    ...(task === undefined ? {} : { [`${PREFIX}.task`]: task }),
  };
}

/** Returns the daemon's filter for all that carries a mark. */
export function filterOf({ folder, supervisor }: Mark): { readonly label: string[] } {
  return {
    label: [`${FOLDER_LABEL}=${folder}`, ...(supervisor === undefined ? [] : [`${SUPERVISOR_LABEL}=${supervisor}`])],
  };
}

/** Returns the name of a devnet's network, with which the names of its containers begin. Each home has its own. */
export function nameOf(paths: Paths): string {
  const home = createHash('sha256').update(paths.home).digest('hex').slice(0, 6);
  return `devnet-${paths.name}-${home}`;
}
