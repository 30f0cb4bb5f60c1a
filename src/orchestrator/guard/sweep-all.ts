import { messageOf } from '../../system/failure.ts';
import type { ProcessIdentity } from '../../system/process/identity.ts';
import { sweep } from '../../system/process/sweep.ts';
import { type Paths, tracesOf } from '../state/paths.ts';

/** Kills processes that left their group. Returns the errors. */
export async function sweepAll(
  paths: Paths,
  since: ProcessIdentity,
  orphans: readonly ProcessIdentity[],
): Promise<string[]> {
  try {
    await sweep({ ...tracesOf(paths), descendants: orphans, since: since.started });
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}
