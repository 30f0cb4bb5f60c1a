import { dirname, join } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { exists, makeFolders, move, namesIn, remove, shareFolder, writePrivate } from '../../system/files/folder.ts';
import type { ExportFile } from './network-folder.ts';

/**
 * Writes the files of an export into a new folder, all or none.
 * They are made beside it and moved there whole.
 * Secrets lie in a folder that only the user opens. The file itself has mode 0444 there, because a container's user is
 * another one.
 * @throws Failure `exists` (exit 2) if the folder has files
 */
export function writeExport(folder: string, files: readonly ExportFile[]): void {
  if (exists(folder) && namesIn(folder).length > 0)
    throw new Failure('exists', `${folder} is not empty, and nothing was written`, {
      exit: EXIT.usage,
      hint: 'choose another folder with --out, or remove it',
    });
  const parts = `${folder}.parts`;
  remove(parts);
  try {
    for (const { path, text, secret } of files) {
      const target = join(parts, path);
      makeFolders(dirname(target));
      // Containers run as another user.
      if (!secret) shareFolder(dirname(target));
      writePrivate(target, text, secret ? 0o444 : 0o644);
    }
    shareFolder(parts);
    remove(folder);
    move(parts, folder);
  } catch (error) {
    remove(parts);
    throw error;
  }
}
