import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { hasProc, PROC } from '../program/platform.ts';

/** CPU time, memory, threads and open files of a process. */
export interface ProcessUse {
  /** Processor time since its start, of all threads. */
  readonly cpuSeconds: number;
  /** Memory in RAM. */
  readonly residentBytes: number;
  /** null if the system does not list them. */
  readonly threads: number | null;
  readonly openFiles: number | null;
}

/** Clock ticks per second in `/proc`: the same on all Linux platforms of Node. */
const TICKS_PER_SECOND = 100;

/** Returns what a process uses; undefined if it is gone. */
export function processUse(pid: number): ProcessUse | undefined {
  return hasProc() ? useInProc(pid) : useByPs(pid);
}

function useInProc(pid: number): ProcessUse | undefined {
  const stat = read(`${PROC}/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name in parentheses may hold spaces: fields are counted from its end, where the third one begins.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3] ?? 0);
  const resident = /^VmRSS:\s*(\d+)/m.exec(read(`${PROC}/${pid}/status`) ?? '')?.[1];
  return {
    cpuSeconds: (field(14) + field(15)) / TICKS_PER_SECOND,
    residentBytes: Number(resident ?? 0) * 1024,
    threads: field(20),
    openFiles: count(`${PROC}/${pid}/fd`),
  };
}

function useByPs(pid: number): ProcessUse | undefined {
  const text = spawnSync('ps', ['-o', 'rss=,time=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  return useOfPs(text);
}

/** Reads the answer of `ps -o rss=,time=`; undefined if it names no process. */
export function useOfPs(text: string): ProcessUse | undefined {
  const [, resident, days, clock = ''] = /^\s*(\d+)\s+(?:(\d+)-)?([\d:.]+)\s*$/.exec(text) ?? [];
  if (resident === undefined) return undefined;
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return {
    cpuSeconds: Number(days ?? 0) * 86_400 + seconds,
    residentBytes: Number(resident) * 1024,
    threads: null,
    openFiles: null,
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function count(folder: string): number | null {
  try {
    return readdirSync(folder).length;
  } catch {
    return null;
  }
}
