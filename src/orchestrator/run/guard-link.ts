import type { ProcessGroup } from '../../system/process-group.ts';
import type { ProcessIdentity } from '../../system/process-identity.ts';
import { type PipedProcess, startPiped } from '../../system/process-piped.ts';
import type { GuardMessage } from './guard.ts';
import { waitingGuard } from './waiting-guard.ts';

/** The supervisor's end of the pipe to its guard. */
export interface GuardLink {
  /** Says what to watch over. Before that a guard ends without doing anything. */
  watch(watch: Watch): void;
  group(group: ProcessGroup): void;
  ended(id: number): void;
  strays(strays: readonly ProcessIdentity[]): void;
  remove(...paths: readonly string[]): void;
  /** Ends the guard without it doing anything; resolves when it is gone. */
  release(): Promise<void>;
}

type Watch = Extract<GuardMessage, { kind: 'watch' }>;

/** Milliseconds until a network has started, or is late anyway. */
const STARTED = 5000;

/**
 * Starts a guard, and another with the same knowledge should it die. While a network starts a shell waits in its place; then the guard itself,
 * which needs no file of the package any more when its time comes.
 */
export function startGuard(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  startedMs = STARTED,
): GuardLink {
  let watch: Watch | undefined;
  const groups = new Map<number, ProcessGroup>();
  const paths = new Set<string>();
  let strays: readonly ProcessIdentity[] = [];
  /** Two for a moment, when the one that waited is relieved: whatever they are told is told to both. */
  const guards = new Set<PipedProcess>();
  const tell = (message: GuardMessage) => {
    for (const guard of guards) guard.send(message);
  };

  function start(command: readonly string[]): PipedProcess {
    const guard = startPiped(command, env);
    guards.add(guard);
    if (watch !== undefined) guard.send(watch);
    for (const group of groups.values()) guard.send({ kind: 'group', group } satisfies GuardMessage);
    if (paths.size > 0) guard.send({ kind: 'remove', paths: [...paths] } satisfies GuardMessage);
    if (strays.length > 0) guard.send({ kind: 'strays', strays } satisfies GuardMessage);
    void guard.exited.then(() => {
      if (guards.delete(guard) && guards.size === 0) start(argv);
    });
    return guard;
  }

  async function end(guard: PipedProcess): Promise<void> {
    guards.delete(guard);
    guard.kill();
    await guard.exited;
  }

  const waiting = start(waitingGuard(argv));
  const relief = setTimeout(() => {
    // It says so when it stands at the end of its pipe: until then the other one does.
    if (guards.has(waiting)) start(argv).output.once('data', () => void end(waiting));
  }, startedMs).unref();

  return {
    watch(next) {
      watch = next;
      tell(watch);
    },
    group(group) {
      groups.set(group.id, group);
      tell({ kind: 'group', group });
    },
    ended(id) {
      groups.delete(id);
      tell({ kind: 'ended', id });
    },
    strays(next) {
      strays = next;
      tell({ kind: 'strays', strays });
    },
    remove(...more) {
      for (const path of more) paths.add(path);
      tell({ kind: 'remove', paths: more });
    },
    async release() {
      clearTimeout(relief);
      await Promise.all([...guards].map(end));
    },
  };
}
