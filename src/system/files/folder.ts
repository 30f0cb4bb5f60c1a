import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  promises,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { EXIT, Failure, messageOf, SYSTEM_HINTS, systemCode } from '../failure.ts';

/**
 * Makes a folder and its parents for their owner only, whatever the umask.
 * Node's own recursion never ends if the system refuses a folder without ENOENT (/proc), so it is done step by step.
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder))
    missing.push(folder);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: 0o700 });
      chmodSync(folder, 0o700);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Makes a folder that only its owner can enter. @throws Failure `home` (exit 4) if it cannot be made */
export function privateFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    throw new Failure('home', `cannot make the folder ${path}: ${messageOf(cause)}`, {
      exit: EXIT.lacking,
      data: { path },
      hint: SYSTEM_HINTS[systemCode(cause) ?? ''] ?? 'make it writable, or set DEVNET_HOME to a folder that is',
      cause,
    });
  }
}

/**
 * Makes a folder below one that all users can write, for its owner only. `hint`: what helps if that fails.
 * @throws Failure `home` (exit 4) if it cannot be made, or is a link or another user's
 */
export function ownFolder(path: string, hint = `run \`sudo rm -r ${path}\``): void {
  privateFolder(path);
  const fault = folderFault(path);
  const options = { exit: EXIT.lacking, data: { path }, hint };
  if (fault !== undefined) throw new Failure('home', `cannot use the folder ${path}: ${fault}`, options);
  closeFolder(path);
}

/** Returns why a path below a folder of all users is not a folder of this user. Undefined if it is one, or absent. */
export function folderFault(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return 'it is not a folder';
  return stats.uid === process.getuid?.() ? undefined : `it belongs to the user ${stats.uid}`;
}

/** Whether a file belongs to this user. */
export function isOwnFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** Removes the permissions of group and others from a folder. @throws if it belongs to another user */
export function closeFolder(path: string): void {
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** Lets all users of the machine enter and list a folder, such as those of containers. */
export function shareFolder(path: string): void {
  chmodSync(path, 0o755);
}

/**
 * Writes a file with exactly these permissions, whatever the umask, in one step. Makes its folder.
 * @throws Failure `write` (exit 4); the path then holds what it held
 */
export function writePrivate(path: string, content: string | Uint8Array, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makeFolders(dirname(path));
    rmSync(temporary, { force: true });
    writeFileSync(temporary, content, { mode, flag: 'wx' });
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unwritable(path, error);
  }
}

/**
 * Copies a large file and writes a text over its first bytes. Mode as for {@link writePrivate}.
 * @throws Failure `write` (exit 4) if the disk is full; the path then holds what it held
 */
export async function copyPrivate(from: string, path: string, head: string, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makeFolders(dirname(path));
    rmSync(temporary, { force: true });
    await promises.copyFile(from, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    chmodSync(temporary, mode);
    const fd = openSync(temporary, 'r+');
    try {
      writeSync(fd, head, 0);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unwritable(path, error);
  }
}

/**
 * Replaces a file in one step.
 * It does not wait for the disk: what is written here is of no use after a power cut, unlike a chain's data.
 * @throws Failure `write` (exit 4) if it cannot be written
 */
export function replaceFile(path: string, text: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): Failure {
  return new Failure('write', `cannot write ${path}: ${messageOf(cause)}`, {
    exit: EXIT.lacking,
    data: { path },
    hint: SYSTEM_HINTS[systemCode(cause) ?? ''] ?? 'make the folder writable, or set DEVNET_HOME to another one',
    cause,
  });
}

/**
 * Creates a file that must not exist yet, complete from its first moment. Returns false if it exists.
 * @throws Failure `write` (exit 4) if it cannot be written; nothing is left then
 */
export function publishExclusive(path: string, text: string): boolean {
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw unwritable(path, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Returns the text of a file, undefined if there is none or it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Returns why a path cannot be read as a regular file of at most `most` bytes.
 * Undefined if it can, and if there is no such file.
 */
export function unreadable(path: string, most = Number.POSITIVE_INFINITY): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const kind = stats.isDirectory()
    ? 'a folder'
    : stats.isFIFO()
      ? 'a pipe'
      : stats.isSocket()
        ? 'a socket'
        : stats.isFile()
          ? undefined
          : 'a device';
  if (kind !== undefined) return `it is ${kind}, not a regular file`;
  return stats.size > most ? `it has ${stats.size} bytes, at most ${most} are allowed` : undefined;
}

/** Returns the names in a folder, sorted. Empty if there is none. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}

/** Removes a file or a whole folder, which may be absent. @throws Failure `write` if it is in use or protected */
export function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
  } catch (error) {
    // Node's text of some errors is ", Unknown error: Device or resource busy '/the/folder'".
    const reason = messageOf(error)
      .replace(/^, Unknown error: /, '')
      .replace(` '${path}'`, '');
    const cause = Object.assign(new Error(reason), { code: systemCode(error) });
    throw new Failure('write', `cannot remove ${path}`, { data: { path }, cause });
  }
}

/**
 * Removes a file if it still holds this text.
 * The file is renamed first, and put back if another process has replaced it meanwhile.
 */
export function removeExactly(path: string, text: string): void {
  const aside = `${path}.${process.pid}.aside`;
  if (!rename(path, aside)) return;
  const content = readText(aside);
  if (content !== undefined && content !== text) publishExclusive(path, content);
  remove(aside);
}

/** Renames a file in one step. Returns false if there is none. */
export function rename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Renames a file or folder in one step, also on a full disk. A file replaces another. @throws the system's error */
export function move(from: string, to: string): void {
  renameSync(from, to);
}

/**
 * Keeps the content of a path under another name, from which `move` brings it back. A folder leaves its path; a file
 * stays until another replaces it, so that no reader misses it. @throws the system's error
 */
export function setAside(path: string, to: string): void {
  if (isFolder(path)) renameSync(path, to);
  else linkSync(path, to);
}

/** Returns when a file was last written (Unix milliseconds), undefined if there is none. */
export function modifiedAt(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}

/** Returns whether a file or folder exists. */
export function exists(path: string): boolean {
  return existsSync(path);
}

/** Returns whether a folder exists. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Returns the bytes that this user may write to the disk of a folder. Undefined if the system does not tell. */
export function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Returns the size of a file, 0 if there is none. */
export function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
