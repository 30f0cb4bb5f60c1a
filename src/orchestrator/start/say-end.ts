import { EXIT } from '../../system/failure.ts';
import { homeOf } from '../folder/home.ts';
import { failureLines } from '../state/failure-report.ts';
import { pathsOf } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';
import { alreadyUp } from './already-up.ts';
import { clearAway } from './end-devnet.ts';
import type { Attached } from './session-client.ts';

/** Reports how a session ended, removes what the supervisor left, and returns the exit code. */
export async function sayEnd(io: Io, attached: Attached, name: string): Promise<number> {
  if (attached.kind === 'ready') return EXIT.done;
  if (attached.kind === 'abandoned') {
    io.stderr('exiting now; the guard ends the remaining processes\n');
    return attached.code;
  }
  if (attached.kind === 'taken') {
    io.stderr(alreadyUp(name, attached));
    return EXIT.alreadyUp;
  }
  if (attached.failure) io.stderr(`devnet: ${failureLines(attached.failure).join('\n')}\n`);
  for (const line of attached.end?.killed ?? []) io.stderr(`${line}\n`);
  for (const line of attached.end?.errors ?? []) io.stderr(`while tearing down: ${line}\n`);
  if (attached.end === undefined) {
    io.stderr('devnet: the supervisor ended unexpectedly; its processes have been ended\n');
    // The supervisor may have ended before it had a guard.
    await clearAway(io, pathsOf(homeOf(io), name), 'stop');
  }
  if (attached.end?.kept !== undefined)
    io.stderr(`all processes have ended; logs and data are kept in ${attached.end.kept}\n`);
  return attached.code;
}

/** Returns what an interruption of a start does, by their count. */
export function sayInterrupted(times: number, signal: string): string {
  if (times === 1) return `${signal}: tearing down; interrupt again to kill at once\n`;
  return times === 2 ? `${signal}: killing\n` : '';
}
