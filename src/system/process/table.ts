import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hasProc, PROC } from '../program/platform.ts';

/** One process as the system lists it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** One letter; Z is a zombie, X is dead already. */
  readonly state: string;
  /** Of a zombie: those that have not ended yet, and itself. */
  readonly threads: number;
  /** Whether it has a controlling terminal, where a user may type. */
  readonly terminal: boolean;
  /** Start of the process. Comparable as text within one boot. */
  readonly started: string;
}

/** Lists processes. Answers are empty if the system hides them. */
export interface ProcessTable {
  list(): ProcessRow[];
  find(pid: number): ProcessRow | undefined;
  /** Returns the environment entries (`KEY=value`) of a process, undefined if they cannot be read. */
  environment(pid: number): readonly string[] | undefined;
  /** Returns the environment entries of many processes, without those that cannot be read. */
  environments(pids: readonly number[]): ReadonlyMap<number, readonly string[]>;
  command(pid: number): string | undefined;
  folder(pid: number): string | undefined;
  /** Paths that the process holds open for writing. */
  writing(pid: number): readonly string[];
}

/** Returns the table of this machine: `/proc` if it exists, else `ps`. */
export function processTable(): ProcessTable {
  return hasProc() ? procTable : psTable;
}

/**
 * Returns whether the process is listed and not a zombie.
 * A process whose first thread has ended is listed as a zombie too. It holds its ports and files until the others have.
 */
export function runs(row: ProcessRow | undefined): row is ProcessRow {
  return row !== undefined && row.state !== 'X' && (row.state !== 'Z' || row.threads > 1);
}

/** The process table by `/proc`. */
export const procTable: ProcessTable = {
  list: () =>
    readdirSync(PROC)
      .filter((name) => /^\d+$/.test(name))
      .map((name) => procTable.find(Number(name)))
      .filter((row) => row !== undefined),
  find(pid) {
    const stat = read(`${PROC}/${pid}/stat`);
    if (stat === undefined) return undefined;
    // The name in parentheses may hold spaces and parentheses itself: fields are counted from its last one.
    const [state, parent, group, , terminal, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid,
      parent: Number(parent),
      group: Number(group),
      state: state ?? 'X',
      threads: Number(rest[12] ?? 1),
      terminal: terminal !== '0',
      started: rest[14] ?? '',
    };
  },
  environment: (pid) => read(`${PROC}/${pid}/environ`)?.split('\0'),
  environments: (pids) =>
    new Map(
      pids.flatMap((pid) => {
        const entries = procTable.environment(pid);
        return entries === undefined ? [] : [[pid, entries] as const];
      }),
    ),
  command: (pid) => read(`${PROC}/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || undefined,
  folder: (pid) => link(`${PROC}/${pid}/cwd`),
  writing(pid) {
    let names: string[];
    try {
      names = readdirSync(`${PROC}/${pid}/fd`);
    } catch {
      return [];
    }
    return names.flatMap((fd) => {
      const path = link(`${PROC}/${pid}/fd/${fd}`);
      if (!path?.startsWith('/')) return [];
      const flags = /^flags:\s*(\d+)/m.exec(read(`${PROC}/${pid}/fdinfo/${fd}`) ?? '')?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0 ? [path] : [];
    });
  },
};

/** The process table by `ps`: slower, without working folders and open files. */
export const psTable: ProcessTable = {
  list: () => rowsOf(ps(['-A'])),
  find: (pid) => rowsOf(ps(['-p', String(pid)]))[0],
  environment: (pid) => psTable.environments([pid]).get(pid),
  environments(pids) {
    // One `ps` for all: a process each would take longer than the processes in question live.
    const show =
      process.platform === 'darwin' ? ['-A', '-E', '-ww', '-o', 'pid=,command='] : ['axeww', '-o', 'pid=,args='];
    const text = spawnSync('ps', show, { encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout ?? '';
    const selection = new Set(pids);
    return new Map(
      text.split('\n').flatMap((line) => {
        const [pid, ...words] = line.trim().split(' ');
        return selection.has(Number(pid)) ? [[Number(pid), words] as const] : [];
      }),
    );
  },
  command: (pid) =>
    spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim() || undefined,
  folder: () => undefined,
  writing: () => [],
};

function ps(which: readonly string[]): string {
  return spawnSync('ps', [...which, '-o', 'pid=,ppid=,pgid=,stat=,tty=,lstart='], { encoding: 'utf8' }).stdout ?? '';
}

function rowsOf(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state, terminal, ...started] = line.trim().split(/\s+/);
    if (!pid || started.length === 0) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        state: state?.[0] ?? 'X',
        threads: 1,
        terminal: terminal !== '?' && terminal !== '??',
        started: started.join(' '),
      },
    ];
  });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
