import { setTimeout as sleep } from 'node:timers/promises';
import { remove } from '../../system/folder.ts';
import type { ProcessGroup } from '../../system/process-group.ts';
import { signalGroup } from '../../system/process-group.ts';
import type { ProcessIdentity } from '../../system/process-identity.ts';
import { stillRuns } from '../../system/process-identity.ts';
import { sweep, type Traces } from '../../system/process-sweep.ts';
import { readMessages } from '../../system/socket.ts';
import { lockToClear } from './lock.ts';

/** What the supervisor tells its guard, a line of JSON each. */
export type GuardMessage =
  | {
      readonly kind: 'watch';
      readonly supervisor: ProcessIdentity;
      readonly traces: Omit<Traces, 'known'>;
      readonly lock: string;
    }
  | { readonly kind: 'group'; readonly group: ProcessGroup }
  | { readonly kind: 'ended'; readonly id: number }
  | { readonly kind: 'orphans'; readonly orphans: readonly ProcessIdentity[] }
  /** Sockets and reservations that only mean something while the supervisor runs. */
  | { readonly kind: 'remove'; readonly paths: readonly string[] };

/**
 * Waits at the end of a pipe that only the supervisor holds. When it breaks, however the supervisor died, everything that it had started is
 * killed. Reads what was written before the break too, so that a supervisor may die while its guard is still starting.
 */
export async function main(input: NodeJS.ReadStream): Promise<number> {
  process.title = 'devnet-guard';
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const groups = new Map<number, ProcessGroup>();
  let watch: Extract<GuardMessage, { kind: 'watch' }> | undefined;
  let orphans: readonly ProcessIdentity[] = [];
  const paths = new Set<string>();
  await new Promise<void>((resolve) => {
    input
      .on('end', resolve)
      .on('close', resolve)
      .on('error', () => resolve());
    readMessages(
      input,
      (value) => {
        const message = value as GuardMessage;
        if (message.kind === 'watch') watch = message;
        else if (message.kind === 'group') groups.set(message.group.id, message.group);
        else if (message.kind === 'ended') groups.delete(message.id);
        else if (message.kind === 'orphans') orphans = message.orphans;
        else for (const path of message.paths) paths.add(path);
      },
      resolve,
    );
  });
  for (const group of groups.values()) signalGroup(group, 'SIGKILL');
  if (watch === undefined) return 0;
  await gone(watch.supervisor);
  // A new supervisor of this name may be there already: it has swept before it began, and what runs now is its own.
  const release = await lockToClear(watch.lock);
  if (release === undefined) return 0;
  try {
    await sweep({ ...watch.traces, known: orphans.filter((orphan) => stillRuns(orphan)) });
    for (const path of paths) remove(path);
  } finally {
    release();
  }
  return 0;
}

/** A process that dies closes its pipes a moment before the system lists it as dead, and until then its lock is good. Waits at most 2 s. */
async function gone(supervisor: ProcessIdentity): Promise<void> {
  const deadline = performance.now() + 2000;
  while (stillRuns(supervisor) && performance.now() < deadline) await sleep(2);
}
