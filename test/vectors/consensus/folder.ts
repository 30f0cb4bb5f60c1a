import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` with a genesis file in a folder of its own and removes the folder. */
export async function inFolder(
  genesis: string,
  work: (genesis: string, datadir: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'consensus-'));
  try {
    const file = join(folder, 'genesis.json');
    writeFileSync(file, genesis);
    await work(file, join(folder, 'data'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
