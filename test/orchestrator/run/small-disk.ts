import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether this process may mount a disk of its own: root on Linux. */
export const mountsDisks = process.platform === 'linux' && process.getuid?.() === 0;

/** A disk of few bytes at a folder, with what fills it up. */
export class SmallDisk {
  readonly folder: string;

  constructor(folder: string, bytes: number) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
    if (status !== 0) throw new Error(`mount: ${stderr}`);
  }

  /** Takes all free room but `left` bytes, or what processes that write meanwhile leave of it. */
  fill(left = 0): void {
    const { bavail, bsize } = statfsSync(this.folder);
    const size = bavail * bsize - left;
    if (size <= 0) return;
    try {
      writeFileSync(join(this.folder, `filling-${Math.random()}`), Buffer.alloc(size, 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['--lazy', this.folder]);
  }
}
