import { messageOf } from '../../system/failure.ts';
import { endGroup } from '../../system/process-group.ts';
import type { TaskKind } from '../plan/plan.ts';
import type { LiveTask } from './live-task.ts';

/** What ending tasks came to. Errors are gathered: one task that resists keeps none of the others alive. */
export interface Ended {
  /** Tasks that did not follow their signal and were killed, with the seconds they were given. */
  readonly killed: readonly string[];
  readonly errors: readonly string[];
}

/** Who writes to whom: each of these is ended only when nobody is left who needs it to save its own. */
const WAVES: readonly (readonly TaskKind[])[] = [['batcher', 'proposer'], ['cl'], ['el'], ['beacon'], ['l1']];

/** Ends tasks one kind after another, so that each can save what it has from who is still there. */
export async function endInOrder(
  tasks: readonly LiveTask[],
  kill: AbortSignal,
  done: (live: LiveTask) => void,
): Promise<Ended> {
  const parts: Ended[] = [];
  for (const kinds of WAVES)
    parts.push(
      await endAtOnce(
        tasks.filter((live) => kinds.includes(live.task.kind)),
        kill,
        done,
        false,
      ),
    );
  return { killed: parts.flatMap((part) => part.killed), errors: parts.flatMap((part) => part.errors) };
}

/** Time before a second signal where data is thrown away: what a task still waits for is gone. */
const AGAIN_MS = 300;

/** Ends tasks all at once: for data that is thrown away. */
export async function endAtOnce(
  tasks: readonly LiveTask[],
  kill: AbortSignal,
  done: (live: LiveTask) => void,
  discards = true,
): Promise<Ended> {
  const killed: string[] = [];
  const errors: string[] = [];
  await Promise.all(
    tasks.map(async (live) => {
      try {
        if (live.group !== undefined) {
          const { signal, graceMs, againMs } = live.task.stop;
          const again = againMs === undefined || !discards ? againMs : Math.min(againMs, AGAIN_MS);
          const ending = await endGroup(live.group, { signal, graceMs, againMs: again }, kill);
          if (ending === 'killed')
            killed.push(
              `${live.task.id} was killed ${kill.aborted ? 'at once' : `after ${graceMs / 1000} s: it ignored ${signal}`}`,
            );
        }
        done(live);
      } catch (error) {
        errors.push(`${live.task.id}: ${messageOf(error)}`);
      }
    }),
  );
  return { killed, errors };
}
