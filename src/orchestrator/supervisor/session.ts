import { EXIT, Failure } from '../../system/failure.ts';
import { identify } from '../../system/process/identity.ts';
import { bringBack } from '../folder/devnet-folder.ts';
import { awaitLock, releaseLock } from '../folder/lock.ts';
import { faultReport } from '../processes/report.ts';
import { type Paths, pathsOf, tracesOf } from '../state/paths.ts';
import type { FirstOrder, OwnIo, SessionIo } from './first-order.ts';
import { runSession } from './run-session.ts';

/**
 * Runs a devnet under its lock and returns the exit code.
 * The guard starts before and ends after it, so that it sees the lock and all else removed.
 */
export async function startSession(order: FirstOrder, io: SessionIo): Promise<number> {
  const paths = pathsOf(order.home, order.kind === 'up' ? order.plan.devnet : order.name);
  const self = identify(process.pid) ?? { pid: process.pid, started: '', boot: '' };
  io.guard.watch({
    kind: 'watch',
    supervisor: self,
    traces: { ...tracesOf(paths), since: self.started },
    lock: paths.lock,
  });
  return runLocked(order, paths, { ...io, own: self });
}

async function runLocked(order: FirstOrder, paths: Paths, io: OwnIo): Promise<number> {
  let lock: Awaited<ReturnType<typeof awaitLock>>;
  try {
    lock = await awaitLock(paths.lock, 'supervisor');
  } catch (error) {
    io.tell({ event: 'failure', failure: faultReport(error) });
    io.tell({ event: 'end', code: EXIT.lacking, killed: [], errors: [] });
    return EXIT.lacking;
  }
  if (!lock.isTaken) {
    io.tell({ event: 'taken', pid: lock.owner?.pid ?? 0, since: lock.owner?.since ?? 0 });
    return EXIT.alreadyUp;
  }
  try {
    return await runSession(order, paths, io);
  } catch (error) {
    bringBack(paths);
    io.tell({ event: 'failure', failure: faultReport(error) });
    const code = error instanceof Failure ? error.exit : EXIT.failed;
    io.tell({ event: 'end', code, killed: [], errors: [] });
    return code;
  } finally {
    releaseLock(paths.lock);
  }
}
