import { lastLines } from '../../system/files/lines.ts';
import { processTable } from '../../system/process/table.ts';
import { redactSecrets } from '../plan/print/pasteable.ts';
import type { LiveTask } from '../processes/live-task.ts';
import { lastComplaint, withoutHarmless } from './complaint.ts';

/** What tasks complain of, in their own words. */
export class Complaints {
  readonly #tasks: ReadonlyMap<string, LiveTask>;
  readonly #last = new Map<string, { readonly since: number; readonly complaint: string }>();

  constructor(tasks: ReadonlyMap<string, LiveTask>) {
    this.#tasks = tasks;
  }

  /** Returns the complaint of a task since a time (Unix ms). */
  of(subject: string, since: number): string | undefined {
    const live = this.#tasks.get(subject);
    if (live === undefined) return undefined;
    const pid = live.exit === undefined ? live.running?.process?.pid : undefined;
    if (pid !== undefined && processTable().find(pid)?.state.toUpperCase() === 'T')
      return `process ${pid} is stopped by a signal or a debugger; kill -CONT ${pid} lets it go on`;
    const lines = withoutHarmless(lastLines(live.task.log, 400, live.logStart), live.task.harmless);
    const last = this.#last.get(subject);
    // A complaint stays the reason, however much is logged after it.
    const complaint = lastComplaint(lines, since) ?? (last?.since === since ? last.complaint : undefined);
    if (complaint === undefined) return undefined;
    this.#last.set(subject, { since, complaint });
    return redactSecrets(complaint, live.task.secrets);
  }
}
