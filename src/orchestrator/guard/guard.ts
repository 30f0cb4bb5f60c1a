/**
 * What ends the processes of a devnet, and when:
 *
 * 1. The supervisor, for as long as it runs. It ends each task by its runtime (`processes/teardown.ts`), then sweeps
 *    for what left its group (`supervisor/end-session.ts`).
 * 2. The guard, when the supervisor ends in any other way. The pipe between them breaks then. The guard kills the
 *    process groups that it was told of at once, and removes containers. With the lock in hand it sweeps, too.
 * 3. The lifeline, when supervisor and guard are both killed. Each program of this package holds a pipe to its starter
 *    (`system/program/program.ts`) and ends when that breaks. Other clients run on then, and the next start of the
 *    devnet's name sweeps them.
 *
 * A sweep (`system/process/sweep.ts`) finds a process outside of its group by any of four traces:
 *
 * - the devnet's stamp in its environment
 * - the mark that descendants inherit, if the process is younger than the supervisor
 * - work in the devnet's folder, if it is younger too
 * - an identity that `client.ts` recorded while its parent ran
 *
 * The supervisor replaces a guard that ends (`client.ts`). A devnet that is taken down by its supervisor releases the
 * guard, which then ends without any effect.
 */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { remove } from '../../system/files/folder.ts';
import { readMessages } from '../../system/net/socket.ts';
import { type ProcessGroup, signalGroup } from '../../system/process/group.ts';
import { type ProcessIdentity, stillRuns } from '../../system/process/identity.ts';
import { sweep, type Traces } from '../../system/process/sweep.ts';
import { lockToClear } from '../folder/lock.ts';
import { type Mark, removeContainers } from '../runtimes/docker/containers.ts';

/** A message of the supervisor to its guard, a line of JSON each. */
export type GuardMessage =
  | {
      readonly kind: 'watch';
      readonly supervisor: ProcessIdentity;
      readonly traces: Omit<Traces, 'descendants'>;
      readonly lock: string;
    }
  | { readonly kind: 'group'; readonly group: ProcessGroup }
  | { readonly kind: 'ended'; readonly id: number }
  | { readonly kind: 'orphans'; readonly orphans: readonly ProcessIdentity[] }
  /** Containers and networks to remove. */
  | { readonly kind: 'containers'; readonly mark: Required<Mark> }
  /** Sockets, which mean nothing without the supervisor. */
  | { readonly kind: 'remove'; readonly paths: readonly string[] };

/**
 * Waits until the pipe from the supervisor breaks and kills every process that the supervisor started.
 * Only the supervisor holds the pipe's other end, so it breaks however the supervisor ends. Messages written before the
 * break are read too: a supervisor may end while its guard is starting.
 */
export async function main(input: Readable): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const groups = new Map<number, ProcessGroup>();
  let watch: Extract<GuardMessage, { kind: 'watch' }> | undefined;
  let orphans: readonly ProcessIdentity[] = [];
  const paths = new Set<string>();
  let mark: Required<Mark> | undefined;
  await new Promise<void>((resolve) => {
    input
      .on('end', resolve)
      .on('close', resolve)
      .on('error', () => resolve());
    readMessages<GuardMessage>(
      input,
      (message) => {
        if (message.kind === 'watch') {
          watch = message;
          // `ps` shows by it that the guard knows its supervisor.
          process.title = 'devnet-guard';
        } else if (message.kind === 'group') groups.set(message.group.id, message.group);
        else if (message.kind === 'ended') groups.delete(message.id);
        else if (message.kind === 'orphans') orphans = message.orphans;
        else if (message.kind === 'containers') mark = message.mark;
        else for (const path of message.paths) paths.add(path);
      },
      resolve,
    );
  });
  for (const group of groups.values()) signalGroup(group, 'SIGKILL');
  // A daemon that does not answer keeps them for the next start.
  const containers = mark === undefined ? undefined : removeContainers(process.env, mark, true).catch(() => undefined);
  if (watch === undefined) return 0;
  await waitForEnd(watch.supervisor);
  // A new supervisor of this name may run already. It has swept before it started its own processes.
  const release = await lockToClear(watch.lock);
  if (release === undefined) {
    await containers;
    return 0;
  }
  try {
    await sweep({ ...watch.traces, descendants: orphans.filter((orphan) => stillRuns(orphan)) });
    for (const path of paths) remove(path);
    await containers;
  } finally {
    release();
  }
  return 0;
}

/**
 * Waits until the system no longer lists the supervisor, at most 2 s.
 * A process closes its pipes a moment before that, and its lock is valid until then.
 */
async function waitForEnd(supervisor: ProcessIdentity): Promise<void> {
  const deadline = performance.now() + 2000;
  while (stillRuns(supervisor) && performance.now() < deadline) await sleep(2);
}
