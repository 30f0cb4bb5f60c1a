import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VARIABLE = 'DEVNET_TEST_CACHE';

/**
 * Gives one run of the suite one cache folder, and removes it at the end.
 * A start in an empty home compiles every program and hashes the genesis: twice the processor time of a later start.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-test-cache-'));
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Folders of a cache that a start reads: compiled programs, and each genesis. Snapshots are none of them. */
const COMPUTED = ['code', 'genesis', 'genesis-text', 'spec'];

/** Gives a folder of devnets on a disk of its own what a start computes. A start there is a user's second start. */
export function diskWithCache(home: string): void {
  const shared = process.env[VARIABLE];
  if (shared === undefined) return;
  mkdirSync(join(home, '.cache'), { mode: 0o700 });
  for (const name of COMPUTED) {
    mkdirSync(join(shared, name), { recursive: true, mode: 0o700 });
    symlinkSync(join(shared, name), join(home, '.cache', name));
  }
}

/** Makes a folder of devnets with this run's cache: a start there is a user's second start. */
export function homeWithCache(home: string): void {
  const shared = process.env[VARIABLE];
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (shared !== undefined) symlinkSync(shared, join(home, '.cache'));
}
