import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run of the tests one folder for all temporary files, and removes it when this process ends.
 * Every process that the tests start inherits it by its environment.
 */
export function useTemporaryFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-tests-'));
  process.env['TMPDIR'] = folder;
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      console.error(`temporary files of the tests stay in ${folder}:`, error);
    }
  });
}
