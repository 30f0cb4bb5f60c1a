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
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return pids.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`DEVNET_HOME=${home}`)) return [];
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
      const kilobytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024;
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      const script = argv[1]?.split('/').at(-1);
      return [
        {
          name: script?.endsWith('.js') ? script : (argv[0]?.split('/').at(-1) ?? pid),
          rss: kilobytes('Rss'),
          pss: kilobytes('Pss'),
        },
      ];
    } catch {
      return [];
    }
  });
}
