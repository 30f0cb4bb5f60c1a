import { dirname } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { exists, folderFault, isOwnFile, ownFolder, remove } from '../../system/files/folder.ts';
import { listenUnix, type Server, type Socket } from '../../system/net/socket.ts';
import { socketsFolder } from './paths.ts';

/** Returns what helps if the folder of sockets is another user's. */
export function socketsHint(): string {
  return `run \`sudo rm -r ${socketsFolder()}\`, or set DEVNET_HOME to a folder with a shorter path`;
}

/**
 * Listens on a socket of a devnet, whose lock is held: an old socket file is stale.
 * @throws Failure `home` (exit 4) if the folder of sockets is another user's
 */
export function serveSocket(path: string, accept: (socket: Socket) => void): Promise<Server> {
  if (isOutside(path)) ownFolder(socketsFolder(), socketsHint());
  remove(path);
  return listenUnix(path, accept);
}

/** Removes a socket of a devnet. What another user has at its place is none of it. */
export function removeSocket(path: string): void {
  if (!isOutside(path) || folderFault(socketsFolder()) === undefined) remove(path);
}

/** @throws Failure `home` (exit 4) if a socket of a devnet may be another user's */
export function mustBeOwnSocket(path: string): void {
  if (!isOutside(path)) return;
  const fault = folderFault(socketsFolder()) ?? (exists(path) && !isOwnFile(path) ? `${path} is not yours` : undefined);
  if (fault !== undefined)
    throw new Failure('home', `cannot use the folder ${socketsFolder()}: ${fault}`, {
      exit: EXIT.lacking,
      data: { path: socketsFolder() },
      hint: socketsHint(),
    });
}

/** Whether a socket lies outside of its devnet's folder, whose path is too long for it. */
function isOutside(path: string): boolean {
  return dirname(path) === socketsFolder();
}
