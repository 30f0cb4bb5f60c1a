import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PROC } from '../program/platform.ts';
import { type ProcessTable, processTable, runs } from './table.ts';

/** Identifies a process beyond its end and a reboot. Its number alone is reused. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
}

/** Returns the identity of a running process, undefined if no process of that number runs. */
export function identify(pid: number, table: ProcessTable = processTable()): ProcessIdentity | undefined {
  const row = table.find(pid);
  return runs(row) ? { pid, started: row.started, boot: bootId() } : undefined;
}

/** Returns whether exactly this process still runs. */
export function stillRuns(identity: ProcessIdentity, table: ProcessTable = processTable()): boolean {
  if (identity.boot !== bootId()) return false;
  const row = table.find(identity.pid);
  return runs(row) && row.started === identity.started;
}

let boot: string | undefined;

/** Returns an identifier of the machine's current boot. Without `/proc` it is the time of the boot. */
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
