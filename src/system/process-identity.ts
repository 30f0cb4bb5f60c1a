import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PROC } from './platform.ts';
import { type ProcessTable, processTable, runs } from './process-table.ts';

/** A process that can be recognised later: its number alone is given to strangers after it ended, and after a reboot. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
}

/** The identity of a running process, or undefined where none of that number runs. */
export function identify(pid: number, table: ProcessTable = processTable()): ProcessIdentity | undefined {
  const row = table.find(pid);
  return runs(row) ? { pid, started: row.started, boot: bootId() } : undefined;
}

/** Whether exactly this process still runs. */
export function stillRuns(identity: ProcessIdentity, table: ProcessTable = processTable()): boolean {
  if (identity.boot !== bootId()) return false;
  const row = table.find(identity.pid);
  return runs(row) && row.started === identity.started;
}

let boot: string | undefined;

/** Names this run of the machine; without `/proc` by the moment at which it booted. */
export function bootId(): string {
  boot ??=
    bootFile() ?? (spawnSync('sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' }).stdout?.trim() || 'unknown');
  return boot;
}

function bootFile(): string | undefined {
  try {
    return readFileSync(`${PROC}/sys/kernel/random/boot_id`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
