import { Failure } from '../../../system/failure.ts';
import type { ClockService } from '../../channel/channel-server.ts';
import { refusedRequest } from '../../control/refusals.ts';
import type { SkewRequest } from '../../control/requests.ts';
import type { Plan } from '../../plan/plan.ts';
import type { StateRecord } from '../../record/state-record.ts';

/** What skewed clocks work on. */
interface SkewParts {
  readonly record: StateRecord;
  readonly clock: ClockService;
  plan(): Plan;
}

/**
 * Sets how far the clocks of tasks are ahead. They read the network's clock, and JWT the machine's, with that skew.
 * @throws Failure `clock` on a stepped clock, or if a task reads the machine's clock; none is skewed then
 */
export function clockSkews({ plan, record, clock }: SkewParts) {
  return ({ tasks, ms }: SkewRequest): { readonly tasks: readonly string[] } => {
    const now = plan();
    if (now.time.clock === 'stepped')
      throw new Failure('clock', 'the clock of this network is stepped: its processes have one time, and no skew');
    for (const id of tasks) {
      const task = now.tasks.find((each) => each.id === id);
      if (task === undefined) throw refusedRequest(`unknown task ${id}`, { task: id });
      if (!task.lifeline)
        throw new Failure('clock', `${id} (${task.client}) reads the clock of the machine, which has no skew`, {
          data: { task: id },
        });
    }
    for (const id of tasks) clock.skew(id, ms);
    record.write();
    return { tasks };
  };
}
