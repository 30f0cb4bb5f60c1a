import type { ProcessGroup } from '../../system/process-group.ts';
import type { ProcessIdentity } from '../../system/process-identity.ts';
import { startPiped } from '../../system/process-piped.ts';
import type { GuardMessage } from './guard.ts';

/** The supervisor's end of the pipe to its guard. */
export interface GuardLink {
  readonly pid: number;
  group(group: ProcessGroup): void;
  ended(id: number): void;
  strays(strays: readonly ProcessIdentity[]): void;
  remove(...paths: readonly string[]): void;
  /** Ends the guard without it doing anything; resolves when it is gone. */
  release(): Promise<void>;
}

/** Starts a guard, and another with the same knowledge should it die. */
export function startGuard(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  watch: Extract<GuardMessage, { kind: 'watch' }>,
): GuardLink {
  const groups = new Map<number, ProcessGroup>();
  const paths = new Set<string>();
  let strays: readonly ProcessIdentity[] = [];
  let releasing = false;
  let guard = start();

  function start() {
    const child = startPiped(argv, env);
    child.send(watch);
    for (const group of groups.values()) child.send({ kind: 'group', group } satisfies GuardMessage);
    if (paths.size > 0) child.send({ kind: 'remove', paths: [...paths] } satisfies GuardMessage);
    if (strays.length > 0) child.send({ kind: 'strays', strays } satisfies GuardMessage);
    void child.exited.then(() => {
      if (!releasing && child === guard) guard = start();
    });
    return child;
  }

  return {
    get pid() {
      return guard.pid;
    },
    group(group) {
      groups.set(group.id, group);
      guard.send({ kind: 'group', group } satisfies GuardMessage);
    },
    ended(id) {
      groups.delete(id);
      guard.send({ kind: 'ended', id } satisfies GuardMessage);
    },
    strays(next) {
      strays = next;
      guard.send({ kind: 'strays', strays } satisfies GuardMessage);
    },
    remove(...more) {
      for (const path of more) paths.add(path);
      guard.send({ kind: 'remove', paths: more } satisfies GuardMessage);
    },
    async release() {
      releasing = true;
      guard.kill();
      await guard.exited;
    },
  };
}
