import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether this process may mount a disk: root on Linux. */
export const mountsDisks = process.platform === 'linux' && process.getuid?.() === 0;

/** A small disk mounted at a folder, and a way to fill it. */
export class SmallDisk {
  readonly folder: string;

  constructor(folder: string, bytes: number) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
    if (status !== 0) throw new Error(`mount: ${stderr}`);
  }

  /** Fills the disk up to `left` bytes, as far as other writers leave them. */
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

  /** Removes what fills the disk. */
  clear(): void {
    for (const name of readdirSync(this.folder)) if (name.startsWith('filling-')) rmSync(join(this.folder, name));
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['--lazy', this.folder]);
  }
}
