import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessMemory {
  readonly name: string;
  /** Bytes. */
  readonly rss: number;
  /** Bytes, shared pages counted in part. */
  readonly pss: number;
}

/** Returns the memory of every process with the home's stamp (Linux only; empty elsewhere). */
export function processMemory(home: string): readonly ProcessMemory[] {
  let pids: readonly string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return pids.flatMap((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`DEVNET_HOME=${home}`);
      return isOurs ? (memoryOf(pid) ?? []) : [];
    } catch {
      return [];
    }
  });
}

/** Returns the memory of a process; undefined if it is gone, or there is no /proc. */
export function memoryOf(pid: string | number): ProcessMemory | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    const bytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024;
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    return { name: programName(argv) ?? String(pid), rss: bytes('Rss'), pss: bytes('Pss') };
  } catch {
    return undefined;
  }
}

/** Returns the name of the program that a command line runs: the script's, if Node runs one. */
export function programName(argv: readonly string[]): string | undefined {
  return (argv.find((word) => word.endsWith('.js')) ?? argv[0])?.split('/').at(-1);
}

/** Returns the proportional memory of all, in bytes. */
export function pssOf(processes: readonly ProcessMemory[]): number {
  return processes.reduce((total, { pss }) => total + pss, 0);
}
