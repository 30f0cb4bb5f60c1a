import { join } from 'node:path';
import { closeFolder, exists, privateFolder } from '../../system/folder.ts';
import { cacheFolder } from './paths.ts';

/**
 * Makes the folder of all devnets and its cache, for their owner only. A folder that devnets were in before is closed to others too.
 * Any other folder that exists keeps its permissions: it may be a project of the user. @throws Failure `home` (exit 4)
 */
export function privateHome(home: string): void {
  const isOurs = exists(join(home, '.locks'));
  const code = cacheFolder(home, 'code');
  privateFolder(code);
  try {
    closeFolder(join(code, '..'));
    if (isOurs) closeFolder(home);
  } catch {
    // Another user's: its devnets are in folders of their own, which are private.
  }
}
