import { messageOf } from '../../system/failure.ts';
import { signalGroup } from '../../system/process/group.ts';
import { startProcess } from '../../system/process/process.ts';
import type { GuardClient } from '../guard/client.ts';
import type { PlannedDashboard } from '../plan/plan.ts';
import type { Emit } from '../state/events.ts';
import { untilAborted } from './launch.ts';
import { how } from './report.ts';

interface DashboardIo {
  /** The environment of the process, with the stamp of the devnet. */
  readonly env: Readonly<Record<string, string>>;
  /** See `markOf`. */
  readonly mark: number;
  readonly guard: Pick<GuardClient, 'group' | 'removeGroup'>;
  readonly emit: Emit;
  /** Called with how it ended, if it ended by itself. */
  readonly ended: (how: string) => void;
  /** Kills the process. */
  readonly signal: AbortSignal;
}

/** Serves a network's dashboard by a process of its own until aborted. Its end by itself is a notice, no failure. */
export async function runDashboard({ command, log, url }: PlannedDashboard, io: DashboardIo): Promise<void> {
  if (io.signal.aborted) return;
  try {
    const child = await startProcess({ ...command, env: { ...command.env, ...io.env }, log, mark: io.mark });
    io.guard.group(child.group);
    const exit = await Promise.race([child.exited, untilAborted(io.signal)]);
    if (exit === undefined) signalGroup(child.group, 'SIGKILL');
    else {
      io.ended(how(exit));
      io.emit({
        event: 'notice',
        text: `the dashboard at ${url} ${how(exit)}; \`devnet dashboard\` serves it: ${log}`,
      });
    }
    await child.exited;
    io.guard.removeGroup(child.group.id);
  } catch (error) {
    io.ended('did not start');
    io.emit({ event: 'notice', text: `the dashboard cannot be served: ${messageOf(error)}` });
  }
}
