import type { ProcessGroup } from '../../system/process/group.ts';
import type { ProcessIdentity } from '../../system/process/identity.ts';
import { type PipedProcess, startPiped } from '../../system/process/piped.ts';
import type { Mark } from '../runtimes/docker/containers.ts';
import type { GuardMessage } from './guard.ts';

/** The supervisor's end of the pipe to its guard. */
export interface GuardClient {
  /** Names the devnet to watch. Without it, a guard ends without any effect. */
  watch(watch: Watch): void;
  group(group: ProcessGroup): void;
  removeGroup(id: number): void;
  orphans(orphans: readonly ProcessIdentity[]): void;
  remove(...paths: readonly string[]): void;
  /** Containers and networks to remove. The address of their daemon is in the guard's environment. */
  containers(mark: Required<Mark>): void;
  /** Ends the guard without any effect. Resolves when it is gone. */
  release(): Promise<void>;
}

type Watch = Extract<GuardMessage, { kind: 'watch' }>;

/** Starts a guard. When it ends, starts another with the same knowledge. */
export function startGuard(argv: readonly string[], env: Readonly<Record<string, string>>): GuardClient {
  let watch: Watch | undefined;
  const groups = new Map<number, ProcessGroup>();
  const paths = new Set<string>();
  let mark: Required<Mark> | undefined;
  let orphans: readonly ProcessIdentity[] = [];
  let guard = start();
  let released = false;
  const send = (message: GuardMessage) => guard.send(message);

  function start(): PipedProcess {
    const started = startPiped(argv, env);
    const messages: readonly GuardMessage[] = [
      ...(watch === undefined ? [] : [watch]),
      ...[...groups.values()].map((group) => ({ kind: 'group', group }) as const),
      ...(paths.size === 0 ? [] : [{ kind: 'remove', paths: [...paths] } as const]),
      ...(mark === undefined ? [] : [{ kind: 'containers', mark } as const]),
      ...(orphans.length === 0 ? [] : [{ kind: 'orphans', orphans } as const]),
    ];
    started.send(...messages);
    void started.exited.then(() => {
      if (!released) guard = start();
    });
    return started;
  }

  return {
    watch(next) {
      watch = next;
      send(watch);
    },
    group(group) {
      groups.set(group.id, group);
      send({ kind: 'group', group });
    },
    removeGroup(id) {
      groups.delete(id);
      send({ kind: 'ended', id });
    },
    orphans(next) {
      orphans = next;
      send({ kind: 'orphans', orphans });
    },
    remove(...more) {
      for (const path of more) paths.add(path);
      send({ kind: 'remove', paths: more });
    },
    containers(next) {
      mark = next;
      send({ kind: 'containers', mark });
    },
    async release() {
      released = true;
      guard.kill();
      await guard.exited;
    },
  };
}
