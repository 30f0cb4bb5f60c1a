import { identify, type ProcessIdentity, stillRuns } from '../../system/process/identity.ts';
import { readMark } from '../../system/process/mark.ts';
import { descendants } from '../../system/process/sweep.ts';

/** Records descendants that left their group. After their parent's end they could not be found. */
export interface Orphans {
  /** Scans now. Returns whether there is a new orphan. */
  look(): boolean;
  readonly all: readonly ProcessIdentity[];
  close(): void;
}

/**
 * Scans soon after the start and then every second, or on demand if the system has marks.
 * `leaders` are the processes that the supervisor started. Members of their groups are no orphans.
 */
export function watchOrphans(
  leaders: () => readonly number[],
  changed: (all: readonly ProcessIdentity[]) => void,
): Orphans {
  let all: ProcessIdentity[] = [];
  let timer: NodeJS.Timeout | undefined;
  const delays = [150, 300];

  function look(): boolean {
    const groups = new Set(leaders());
    const pids = new Set(all.map((orphan) => orphan.pid));
    const strays = descendants([...groups, ...pids]).filter((row) => !groups.has(row.group) && !pids.has(row.pid));
    if (strays.length === 0) return false;
    all = [...all.filter((orphan) => stillRuns(orphan)), ...strays.flatMap((row) => identify(row.pid) ?? [])];
    changed(all);
    return true;
  }

  function again() {
    timer = setTimeout(() => {
      look();
      again();
    }, delays.shift() ?? 1000).unref();
  }

  if (readMark('self') === undefined) again();
  return {
    look,
    get all() {
      return all;
    },
    close: () => clearTimeout(timer),
  };
}
