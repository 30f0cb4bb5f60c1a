import type { TaskPhase } from '../state/state.ts';

/** Phases of a task whose start is under way, in which any start can end. */
const START_ENDS = ['ready', 'restarting', 'failed', 'stopping', 'stopped'] as const satisfies readonly TaskPhase[];

/** Phases in which a start of a task without a process can begin. An external task is ready without any of them. */
const START_BEGINS = ['preparing', 'starting', 'manual', 'ready', 'failed'] as const satisfies readonly TaskPhase[];

/**
 * Phases that can follow each phase of a task. A phase that can follow itself has another detail then, or is reported
 * once more for a second end.
 */
export const NEXT_PHASES: Readonly<Record<TaskPhase, readonly TaskPhase[]>> = {
  waiting: [...START_BEGINS, 'restarting', 'blocked', 'stopped'],
  preparing: ['preparing', 'starting', 'manual', ...START_ENDS.filter((phase) => phase !== 'ready')],
  starting: START_ENDS,
  manual: START_ENDS.filter((phase) => phase !== 'stopping'),
  ready: ['unhealthy', 'paused', 'restarting', 'failed', 'stopping', 'stopped'],
  unhealthy: ['ready', 'paused', 'restarting', 'failed', 'stopping', 'stopped'],
  paused: ['ready', 'restarting', 'failed', 'stopping', 'stopped'],
  // The pause before the next start does not prepare the data once more.
  restarting: ['starting', 'manual', 'ready', 'restarting', 'failed', 'stopped'],
  blocked: ['stopped'],
  // A start can follow an end that failed, which leaves the phase of the end.
  stopping: ['stopping', 'stopped', 'preparing', 'starting', 'failed'],
  stopped: [...START_BEGINS, 'stopped'],
  // A process that is not ready in time still runs when its task has failed.
  failed: [...START_BEGINS, 'stopping', 'stopped'],
};

/** Thrown if a task cannot change from its phase to another one: a defect of this program. */
export class ForbiddenTransition extends Error {
  override readonly name = 'ForbiddenTransition';
  readonly from: TaskPhase;
  readonly to: TaskPhase;

  constructor(task: string, from: TaskPhase, to: TaskPhase) {
    super(`${task} stays ${from}: a task that is ${from} cannot be ${to} next; this is a defect of devnet, report it`);
    this.from = from;
    this.to = to;
  }
}
