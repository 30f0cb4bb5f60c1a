import { readlinkSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from './group.ts';
import { type ProcessIdentity, stillRuns } from './identity.ts';
import { readMark } from './mark.ts';
import { type ProcessRow, type ProcessTable, processTable, runs } from './table.ts';

/** Traces by which the processes of a devnet are found without their handles. */
export interface Traces {
  /** Environment entries. A process with all of them matches. */
  readonly stamp: readonly string[];
  /** Processes that were seen as descendants. */
  readonly descendants: readonly ProcessIdentity[];
  /** Folder of the devnet. Orphans without a terminal that write files or work in it match. */
  readonly folder?: string;
  /** Mark that descendants inherit (see `markOf`). */
  readonly mark?: number;
  /** Start of the oldest possible match, as the process table writes it. Limits `folder` and `mark`. */
  readonly since?: string;
}

/** Returns the running processes that carry the traces, except this process and its ancestors. */
export function processesWithTraces(traces: Traces, table: ProcessTable = processTable()): ProcessRow[] {
  const rows = table.list().filter(runs);
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const spared = new Set<number>();
  for (let pid = process.pid; pid > 1 && !spared.has(pid); pid = byPid.get(pid)?.parent ?? 0) spared.add(pid);
  const descendants = new Map(traces.descendants.map((identity) => [identity.pid, identity]));
  const folder = traces.folder === undefined ? undefined : real(traces.folder);
  // In some containers every process has the same value, which then says nothing.
  const mark = traces.mark === readMark('self') ? undefined : traces.mark;
  const environments = traces.stamp.length > 0 ? table.environments([...byPid.keys()]) : new Map<number, string[]>();
  return rows.filter((row) => {
    if (spared.has(row.pid) || row.pid === 1) return false;
    const identity = descendants.get(row.pid);
    if (identity?.started === row.started && stillRuns(identity, table)) return true;
    const environment = environments.get(row.pid);
    if (environment && traces.stamp.every((entry) => environment.includes(entry))) return true;
    if (traces.since !== undefined && Number(row.started) < Number(traces.since)) return false;
    // Without a start time, the mark alone does not suffice to end a process that has a parent.
    const isMarked =
      mark !== undefined && (traces.since !== undefined || orphaned(row, byPid)) && readMark(row.pid) === mark;
    if (!isMarked && (folder === undefined || !worksIn(folder, row, byPid, table))) return false;
    return !isAnothers(row, traces.stamp, byPid, environments);
  });
}

/**
 * Returns whether the process or an ancestor carries another devnet's stamp.
 * There are fewer marks than names, so that two devnets may share one.
 */
function isAnothers(
  row: ProcessRow,
  stamp: readonly string[],
  byPid: ReadonlyMap<number, ProcessRow>,
  environments: ReadonlyMap<number, readonly string[]>,
): boolean {
  const pids = new Set<number>();
  for (let at: ProcessRow | undefined = row; at !== undefined && !pids.has(at.pid); at = byPid.get(at.parent)) {
    pids.add(at.pid);
    const environment = environments.get(at.pid);
    const keyOf = (entry: string) => entry.slice(0, entry.indexOf('=') + 1);
    if (stamp.some((entry) => environment?.some((other) => other.startsWith(keyOf(entry)) && other !== entry)))
      return true;
  }
  return false;
}

/**
 * Returns whether an orphan without a terminal writes or works in the folder.
 * A user's shell, editor or `tail` has a terminal or a living parent, or only reads.
 */
function worksIn(
  folder: string,
  row: ProcessRow,
  byPid: ReadonlyMap<number, ProcessRow>,
  table: ProcessTable,
): boolean {
  if (row.terminal || !orphaned(row, byPid)) return false;
  const inside = (path: string | undefined) => path === folder || path?.startsWith(`${folder}/`) === true;
  return inside(table.folder(row.pid)?.replace(/ \(deleted\)$/, '')) || table.writing(row.pid).some(inside);
}

function orphaned(row: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>): boolean {
  return row.parent <= 1 || !byPid.has(row.parent);
}

/** Returns all descendants of the given processes, whatever their group or session. */
export function descendants(pids: Iterable<number>, table: ProcessTable = processTable()): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of table.list()) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  const descendants: ProcessRow[] = [];
  const open = [...pids];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop())
    for (const child of children.get(pid) ?? []) {
      descendants.push(child);
      open.push(child.pid);
    }
  return descendants.filter(runs);
}

/**
 * Kills every process that carries the traces, until there is none. Returns their number.
 * @throws Error if some survive SIGKILL for 3 s
 */
export async function sweep(traces: Traces): Promise<number> {
  const killed = new Set<number>();
  const deadline = performance.now() + 3000;
  for (;;) {
    const rows = processesWithTraces(traces);
    if (rows.length === 0) return killed.size;
    if (performance.now() > deadline)
      throw new Error(`processes ${rows.map((row) => row.pid).join(', ')} survive SIGKILL`);
    for (const row of rows) {
      killed.add(row.pid);
      signalProcess(row.pid, 'SIGKILL');
    }
    await sleep(5);
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return readlinkSync(path);
    } catch {
      return path;
    }
  }
}
