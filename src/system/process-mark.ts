import { readFileSync, writeFileSync } from 'node:fs';
import { PROC } from './platform.ts';

/**
 * A mark that a process hands down to all its descendants, also to those that clear their environment, leave their session and give away
 * their parent: Linux keeps `oom_score_adj` across fork and exec, and nobody may lower it without privilege. It has a sense of its own: when
 * memory runs out, the kernel takes a devnet's nodes before the user's editor.
 */
export function markOf(name: string): number {
  // FNV-1a: the supervisor needs no better one, and Node's crypto takes 5 ms to load.
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return 301 + (hash % 697);
}

/** Runs something that starts a process, which then carries the mark. Where the system has no such thing, it just runs. */
export function marked<T>(mark: number | undefined, start: () => T): T {
  const before = mark === undefined ? undefined : readMark('self');
  if (before === undefined || !write(mark)) return start();
  try {
    return start();
  } finally {
    write(before);
  }
}

/** The mark of a process, undefined where the system has none or does not tell. */
export function readMark(pid: number | 'self'): number | undefined {
  try {
    return Number(readFileSync(`${PROC}/${pid}/oom_score_adj`, 'utf8'));
  } catch {
    return undefined;
  }
}

function write(mark: number | undefined): boolean {
  try {
    writeFileSync(`${PROC}/self/oom_score_adj`, String(mark));
    return true;
  } catch {
    return false;
  }
}
