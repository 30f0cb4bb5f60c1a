import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/** Returns the path of a rotated log's older part. */
export function olderPart(log: string): string {
  return `${log}.1`;
}

/** Identifies an older part. Undefined if the log was never rotated. */
export function generationOf(log: string): string | undefined {
  const stats = statSync(olderPart(log), { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino} ${stats.mtimeMs}`;
}

/** Returns whether a log is being moved to its older part at this moment. */
export function isRotating(log: string): boolean {
  return existsSync(unfinished(log));
}

function unfinished(log: string): string {
  return `${olderPart(log)}.tmp`;
}

/** Bytes copied in one turn of the event loop. */
const ROTATE_PIECE_BYTES = 1024 * 1024;

/** Beginning of the first line of an older part whose start was not kept. */
export const DROPPED = 'devnet: bytes dropped before this line: ';

/**
 * Moves a log's content to its older part and empties the log. Returns the bytes dropped.
 * The process that writes the log keeps it open for appending and notices nothing. Of a log of more than two limits,
 * the last `limit` bytes are kept. `emptied` is called in the turn in which the log is emptied.
 * The log is emptied even if its content cannot be copied, so that a full disk does not grow fuller.
 * A write between the last read and the emptying is lost: no call does both.
 */
export async function rotateLog(log: string, limit: number, emptied: () => void): Promise<number> {
  const temporary = unfinished(log);
  const fd = openSync(log, 'r+');
  try {
    const { size } = statSync(log);
    const from = size > 2 * limit ? size - limit : 0;
    let dropped = 0;
    const empty = (upTo: number) => {
      dropped = Math.max(0, fstatSync(fd).size - upTo);
      ftruncateSync(fd, 0);
      emptied();
    };
    if (await copyTail(fd, from, 2 * limit, temporary, empty)) {
      dropped += from;
      renameSync(temporary, olderPart(log));
    } else empty(0);
    const loss = dropped > 0 ? `; ${dropped} bytes were dropped` : '';
    append(log, `devnet: log rotated at ${limit} bytes; the lines before are in ${basename(olderPart(log))}${loss}\n`);
    return dropped;
  } finally {
    closeSync(fd);
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Copies a file from a position on, at most `most` bytes, until the copy has caught up with the writer.
 * Calls `caughtUp` with the position at once, before the writer can add more. Returns false if the disk refuses the
 * copy.
 */
async function copyTail(
  fd: number,
  from: number,
  most: number,
  to: string,
  caughtUp: (at: number) => void,
): Promise<boolean> {
  try {
    const out = openSync(to, 'w', 0o600);
    try {
      if (from > 0) writeSync(out, `${DROPPED}${from}\n`);
      const piece = Buffer.allocUnsafe(ROTATE_PIECE_BYTES);
      for (let at = from; ; ) {
        const length = readSync(fd, piece, 0, ROTATE_PIECE_BYTES, at);
        if (length === 0 || at - from >= most) {
          caughtUp(at);
          return true;
        }
        for (let done = 0; done < length; ) done += writeSync(out, piece, done, length - done);
        at += length;
        // What a slow writer adds is read in the same turn, so that nothing is lost before the log is emptied.
        if (length === ROTATE_PIECE_BYTES) await turn();
      }
    } finally {
      closeSync(out);
    }
  } catch {
    return false;
  }
}

function append(path: string, text: string): void {
  try {
    const fd = openSync(path, 'a');
    try {
      writeSync(fd, text);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The older part shows it by being there.
  }
}
