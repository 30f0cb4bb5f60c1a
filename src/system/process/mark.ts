import { readFileSync, writeFileSync } from 'node:fs';
import { PROC } from '../program/platform.ts';

/**
 * Returns a mark for all descendants of a devnet: a value of `oom_score_adj`, which Linux keeps across fork and exec.
 * It also finds processes that cleared their environment, left their session and gave up their parent. Lowering it
 * takes privilege. When memory runs out, the kernel ends a devnet's nodes before the user's editor.
 */
export function markOf(name: string): number {
  // FNV-1a suffices for a mark, and loading Node's crypto takes 5 ms.
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return 301 + (hash % 697);
}

/** Runs a function that starts a process, which then carries the mark. Without effect if the system has no marks. */
export function withMark<T>(mark: number | undefined, start: () => T): T {
  const before = mark === undefined ? undefined : readMark('self');
  if (before === undefined || !write(mark)) return start();
  try {
    return start();
  } finally {
    write(before);
  }
}

/** Returns the mark of a process, undefined if the system has none or hides it. */
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
