import { messageOf } from '../../system/failure.ts';
import type { TaskKind } from '../plan/plan.ts';
import type { LiveTask } from './live-task.ts';

/** The result of ending tasks. An error of one task does not stop the others. */
export interface Ended {
  /** Tasks that ignored their signal and were killed, with their grace in seconds. */
  readonly killed: readonly string[];
  readonly errors: readonly string[];
}

/** The order of ending, because the earlier kinds write to the later ones. */
const WAVES: readonly (readonly TaskKind[])[] = [
  ['batcher', 'proposer', 'challenger'],
  ['cl'],
  ['el', 'signer', 'da-server', 'conductor'],
  ['beacon'],
  ['l1'],
  ['tunnel'],
];

/** Ends tasks one kind after another, so that each can save its data with those it needs. */
export async function endInOrder(
  tasks: readonly LiveTask[],
  kill: AbortSignal,
  done: (live: LiveTask) => void,
): Promise<Ended> {
  let result: Ended = { killed: [], errors: [] };
  for (const kinds of WAVES) {
    const wave = tasks.filter((live) => kinds.includes(live.task.kind));
    result = both(result, await endAtOnce(wave, kill, done, false));
  }
  return result;
}

/** Joins two results. */
export const both = (one: Ended, other: Ended): Ended => ({
  killed: [...one.killed, ...other.killed],
  errors: [...one.errors, ...other.errors],
});

/** Time (ms) before a second signal if data is discarded. */
const AGAIN_MS = 300;

/** Ends all tasks at once, if data is discarded. */
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
        if (live.running !== undefined) {
          const { signal, graceMs, againMs } = live.task.stop;
          const again = againMs === undefined || !discards ? againMs : Math.min(againMs, AGAIN_MS);
          const ending = await live.running.end({ signal, graceMs, againMs: again }, kill);
          const reason = kill.aborted ? 'at once' : `after ${graceMs / 1000} s: it ignored ${signal}`;
          if (ending === 'killed') killed.push(`${live.task.id} was killed ${reason}`);
        }
        done(live);
      } catch (error) {
        errors.push(`${live.task.id}: ${messageOf(error)}`);
      }
    }),
  );
  return { killed, errors };
}
