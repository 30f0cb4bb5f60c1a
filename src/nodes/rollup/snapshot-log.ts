import { Failure } from '../../system/failure.ts';
import { type LineFile, openLineFile } from '../../system/files/line-file.ts';
import type { Logger } from '../../system/program/log.ts';
import type { DriverEvent } from './driver/events.ts';
import type { Heads } from './engine/forkchoice.ts';
import type { SyncStatus } from './methods/api.ts';

/** Records the node's heads, one JSON line per change, in the format of op-node's snapshot log. */
export interface SnapshotLog {
  /** Writes a line if the event changed a head. Never throws: a failed write is logged once. */
  onEvent(event: DriverEvent, status: SyncStatus): void;
  close(): void;
}

const L1_EVENTS = { latest: 'New L1 Head', safe: 'New L1 Safe Head', finalized: 'New L1 Finalized Head' } as const;

/**
 * Opens or creates the file. `engineUrl` names the engine in each line. @throws Failure `snapshot-log` if it cannot
 * be opened
 */
export function openSnapshotLog(path: string, engineUrl: string, now: () => number, log: Logger): SnapshotLog {
  const file = open(path);
  let last: Heads | undefined;
  let isRefused = false;

  function write(event: string, status: SyncStatus): void {
    const line = {
      t: new Date(now()).toISOString(),
      lvl: 'info',
      msg: 'Rollup State Snapshot',
      event,
      engine_addr: engineUrl,
      l1Head: JSON.stringify(status.head_l1),
      l1Current: JSON.stringify(status.current_l1),
      l2Head: JSON.stringify(status.unsafe_l2),
      l2Safe: JSON.stringify(status.safe_l2),
      l2FinalizedHead: JSON.stringify(status.finalized_l2),
    };
    try {
      file.append(JSON.stringify(line));
      isRefused = false;
    } catch (error) {
      if (!isRefused) log.warn('cannot write the snapshot log', { error });
      isRefused = true;
    }
  }

  return {
    onEvent(event, status) {
      if (event.kind === 'l1') return write(L1_EVENTS[event.label], status);
      if (event.kind === 'reset') return write(`Derivation Reset: ${event.reason}`, status);
      if (event.kind === 'exhausted') return write('L1 Data Exhausted', status);
      const before = last;
      last = event.heads;
      for (const [head, name] of [
        ['unsafe', 'New L2 Head'],
        ['safe', 'New L2 Safe Head'],
        ['finalized', 'New L2 Finalized Head'],
      ] as const)
        if (before?.[head].hash !== event.heads[head].hash) write(name, status);
    },
    close: () => file.close(),
  };
}

function open(path: string): LineFile {
  try {
    return openLineFile(path);
  } catch (cause) {
    throw new Failure('snapshot-log', `cannot write the snapshot log ${path} (--snapshotlog.file)`, {
      data: { path },
      cause,
    });
  }
}
