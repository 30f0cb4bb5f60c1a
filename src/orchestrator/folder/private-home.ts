import { join } from 'node:path';
import { closeFolder, exists, privateFolder } from '../../system/files/folder.ts';
import { cacheFolder } from '../state/paths.ts';

/**
 * Makes the home and its cache for their owner only.
 * A folder that held devnets before is closed to others too. Any other existing folder keeps its permissions, because
 * it
 * may be a project of the user. @throws Failure `home` (exit 4)
 */
export function privateHome(home: string): void {
  const isOurs = exists(join(home, '.locks'));
  const code = cacheFolder(home, 'code');
  privateFolder(code);
  try {
    closeFolder(join(code, '..'));
    if (isOurs) closeFolder(home);
  } catch {
    // The folder belongs to another user. Its devnets are in private folders.
  }
}
