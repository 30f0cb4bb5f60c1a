import { lastLines } from '../../system/files/lines.ts';
import { processTable } from '../../system/process/table.ts';
import { redactSecrets } from '../plan/print/pasteable.ts';
import type { LiveTask } from '../processes/live-task.ts';
import { lastComplaint, withoutHarmless } from './complaint.ts';

/** What tasks complain of, in their own words. */
export class Complaints {
  readonly #tasks: ReadonlyMap<string, LiveTask>;
  readonly #last = new Map<string, { readonly since: number; readonly answered: number; readonly complaint: string }>();
  readonly #readyAt: number;

  /** `readyAt`: when (Unix ms) the network was ready, so that all its programs answered. */
  constructor(tasks: ReadonlyMap<string, LiveTask>, readyAt = Date.now()) {
    this.#tasks = tasks;
    this.#readyAt = readyAt;
  }

  /** Returns the complaint of a task since a time (Unix ms). */
  of(subject: string, since: number): string | undefined {
    const live = this.#tasks.get(subject);
    if (live === undefined) return undefined;
    const pid = live.exit === undefined ? live.running?.process?.pid : undefined;
    if (pid !== undefined && processTable().find(pid)?.state.toUpperCase() === 'T')
      return `process ${pid} is stopped by a signal or a debugger; kill -CONT ${pid} lets it go on`;
    const lines = withoutHarmless(lastLines(live.task.log, 400, live.logStart), live.task.harmless);
    const answered = Math.max(this.#readyAt, live.readyAt ?? 0);
    const last = this.#last.get(subject);
    // A complaint stays the reason, however much is logged after it, until the task is started anew.
    const earlier = last?.since === since && last.answered === answered ? last.complaint : undefined;
    const complaint = lastComplaint(lines, since, answered) ?? earlier;
    if (complaint === undefined) return undefined;
    this.#last.set(subject, { since, answered, complaint });
    return redactSecrets(complaint, live.task.secrets);
  }
}
