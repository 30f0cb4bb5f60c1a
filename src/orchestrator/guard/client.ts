import type { ProcessGroup } from '../../system/process/group.ts';
import { identify, type ProcessIdentity, stillRuns } from '../../system/process/identity.ts';
import { readMark } from '../../system/process/mark.ts';
import { type PipedProcess, startPiped } from '../../system/process/piped.ts';
import { descendants } from '../../system/process/sweep.ts';
import { processTable } from '../../system/process/table.ts';
import type { Mark } from '../runtimes/docker/containers.ts';
import type { GuardMessage } from './guard.ts';

type Watch = Extract<GuardMessage, { kind: 'watch' }>;

/** Pauses (ms) before the first scans for orphans, and between all later ones. */
const FIRST_SCANS_MS = [150, 300];
const SCAN_INTERVAL_MS = 1000;

/**
 * The supervisor's end of the pipe to its guard: what the guard ends and removes if the supervisor ends first.
 * A guard that ends is replaced by another with the same knowledge.
 */
export class GuardClient {
  readonly #argv: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #watch: Watch | undefined;
  readonly #groups = new Map<number, ProcessGroup>();
  readonly #paths = new Set<string>();
  #mark: Required<Mark> | undefined;
  #orphans: readonly ProcessIdentity[] = [];
  #onOrphans: (all: readonly ProcessIdentity[]) => void = () => undefined;
  #scan: NodeJS.Timeout | undefined;
  #guard: PipedProcess;
  #isReleased = false;

  /** Starts a guard. */
  constructor(argv: readonly string[], env: Readonly<Record<string, string>>) {
    this.#argv = argv;
    this.#env = env;
    this.#guard = this.#start();
  }

  #start(): PipedProcess {
    const started = startPiped(this.#argv, this.#env);
    const messages: readonly GuardMessage[] = [
      ...(this.#watch === undefined ? [] : [this.#watch]),
      ...[...this.#groups.values()].map((group) => ({ kind: 'group', group }) as const),
      ...(this.#paths.size === 0 ? [] : [{ kind: 'remove', paths: [...this.#paths] } as const]),
      ...(this.#mark === undefined ? [] : [{ kind: 'containers', mark: this.#mark } as const]),
      ...(this.#orphans.length === 0 ? [] : [{ kind: 'orphans', orphans: this.#orphans } as const]),
    ];
    started.send(...messages);
    void started.exited.then(() => {
      if (!this.#isReleased) this.#guard = this.#start();
    });
    return started;
  }

  #send(message: GuardMessage): void {
    this.#guard.send(message);
  }

  /** Names the devnet to watch. Without it, a guard ends without any effect. */
  watch(watch: Watch): void {
    this.#watch = watch;
    this.#send(watch);
  }

  group(group: ProcessGroup): void {
    this.#groups.set(group.id, group);
    this.#send({ kind: 'group', group });
  }

  removeGroup(id: number): void {
    this.#groups.delete(id);
    this.#send({ kind: 'ended', id });
  }

  remove(...paths: readonly string[]): void {
    for (const path of paths) this.#paths.add(path);
    this.#send({ kind: 'remove', paths });
  }

  /** Containers and networks to remove. The address of their daemon is in the guard's environment. */
  containers(mark: Required<Mark>): void {
    this.#mark = mark;
    this.#send({ kind: 'containers', mark });
  }

  /**
   * Calls back with all orphans when there is a new one. These are descendants of the groups' leaders that left their
   * group. After their parent's end they could not be found. If the system has marks, only `lastOrphans` scans.
   */
  onOrphans(listener: (all: readonly ProcessIdentity[]) => void): void {
    this.#onOrphans = listener;
    if (readMark('self') === undefined) this.#scanLater([...FIRST_SCANS_MS]);
  }

  /** Scans a last time, and returns all orphans. */
  lastOrphans(): readonly ProcessIdentity[] {
    clearTimeout(this.#scan);
    this.#scanNow();
    return this.#orphans;
  }

  #scanLater(pauses: number[]): void {
    this.#scan = setTimeout(() => {
      this.#scanNow();
      this.#scanLater(pauses);
    }, pauses.shift() ?? SCAN_INTERVAL_MS).unref();
  }

  #scanNow(): void {
    // Without `/proc` each list is a run of `ps`.
    const rows = processTable().list();
    const table = { ...processTable(), list: () => rows };
    // The number of a leader that ended may be another process's by now.
    const leaders = rows.filter(({ pid, started }) => this.#groups.get(pid)?.started === started);
    const groups = new Set(leaders.map(({ pid }) => pid));
    const pids = new Set(this.#orphans.map(({ pid }) => pid));
    const strays = descendants([...groups, ...pids], table).filter(
      ({ group, pid }) => !groups.has(group) && !pids.has(pid),
    );
    if (strays.length === 0) return;
    const running = this.#orphans.filter((orphan) => stillRuns(orphan));
    this.#orphans = [...running, ...strays.flatMap(({ pid }) => identify(pid) ?? [])];
    this.#send({ kind: 'orphans', orphans: this.#orphans });
    this.#onOrphans(this.#orphans);
  }

  /** Ends the guard without any effect. Resolves when it is gone. */
  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#scan);
    this.#guard.kill();
    await this.#guard.exited;
  }
}
