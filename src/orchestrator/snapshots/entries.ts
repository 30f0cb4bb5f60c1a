import { printable } from '../../system/files/lines.ts';
import { DATA } from '../checkpoints/snapshots.ts';
import { MOST_FOLDERS } from './limits.ts';
import { MANIFEST } from './manifest-format.ts';
import type { Manifest } from './manifest-schema.ts';

/** One entry of an archive. */
export interface Entry {
  readonly size?: number;
  readonly type?: unknown;
}

/**
 * Accepts the entries of an archive: its manifest, each file of its list once and with its size, and folders.
 * @throws Error for any other entry
 */
export function entriesOf({ files }: Manifest): (path: string, entry: Entry) => boolean {
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const expected = new Set(sizes.keys());
  // Folders are not in the list, and empty ones belong to the data: their number is bounded only.
  let folders = 0;
  let manifests = 0;
  return (path, { size = 0, type }) => {
    if (/\p{Cc}/u.test(path)) throw new Error(`the name ${printable(path)} has control characters`);
    if (path.split('/').includes('..')) throw new Error(`${path} is outside of it`);
    if (type === 'Directory') {
      if (path !== DATA && !path.startsWith(`${DATA}/`)) throw new Error(`the folder ${path} is not below ${DATA}`);
      if (++folders > MOST_FOLDERS) throw new Error(`it holds more than ${MOST_FOLDERS} folders`);
      return true;
    }
    if (type !== 'File' && type !== 'OldFile')
      throw new Error(`${path} is a ${String(type)}, and a snapshot holds files and folders only`);
    if (path === MANIFEST) {
      if (++manifests > 1) throw new Error(`${MANIFEST} is there twice`);
      return true;
    }
    const listedSize = sizes.get(path);
    if (listedSize === undefined)
      throw new Error(expected.has(path) ? `${path} is there twice` : `${path} is not in its list of files`);
    if (listedSize !== size) throw new Error(`${path} has ${size} bytes, and ${listedSize} in its list of files`);
    sizes.delete(path);
    return true;
  };
}
