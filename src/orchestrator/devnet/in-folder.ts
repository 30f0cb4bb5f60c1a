import { resolve } from 'node:path';
import { exists } from '../../system/files/folder.ts';
import { FOLDER_SPEC } from '../load/find-spec.ts';
import type { Io } from '../terminal/io.ts';

/** Returns surroundings that know which devnet `./devnet.yaml` names. The parser is loaded only if there is one. */
export async function inFolder<I extends Io>(io: I): Promise<I> {
  if (!exists(resolve(io.cwd, FOLDER_SPEC))) return io;
  const { folderDevnet } = await import('./folder-devnet.ts');
  const devnet = folderDevnet(io.cwd);
  return devnet === undefined ? io : { ...io, folderDevnet: devnet };
}
