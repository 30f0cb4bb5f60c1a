import { EXIT } from '../../system/failure.ts';
import { watchRemoval } from '../folder/removed-files.ts';
import { limitLogs } from '../processes/log-limit.ts';
import type { Network } from '../processes/network.ts';
import { faultReport } from '../processes/report.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { Paths } from '../state/paths.ts';
import type { Finish } from './finish.ts';

/** What is watched beside the processes themselves: their logs and their folder. */
export interface ProcessWatches {
  readonly logs: { close(): void };
  readonly removal: { close(): void };
}

/** Begins the watches. A removal of the devnet's files ends the session. */
export function watchProcesses(
  paths: Paths,
  { network, record, logBytes }: { readonly network: Network; readonly record: StateRecord; readonly logBytes: number },
  end: (finish: Finish) => void,
): ProcessWatches {
  const after = { task: { id: 'after', log: paths.after }, logStart: 0 };
  return {
    logs: limitLogs(() => [...network.tasks.values(), after], logBytes, record.emit),
    removal: watchRemoval(paths, (failure) =>
      end({ how: 'removed', code: EXIT.failed, failure: faultReport(failure) }),
    ),
  };
}
