import { messageOf } from '../../system/failure.ts';
import type { ClockServer } from '../clock/clock-server.ts';
import type { HeldClock } from '../clock/time-control.ts';
import type { LiveTask } from '../processes/live-task.ts';

/** Moments of a network that its processes hold themselves, so that a return to one needs no restart. */
export interface NetworkPoints {
  /**
   * Has every process remember the present moment. The clock stands, and all are done with its time. Returns false
   * where one cannot, such as a client of another project: a return restarts the processes then.
   */
  remember(point: number): Promise<boolean>;
  /**
   * Takes all processes back at once and sets the clock. Returns why that was impossible. What the processes hold is
   * undefined then, and they must be started again.
   */
  goBack(point: number, at: number, held: HeldClock): Promise<'done' | 'unknown' | { readonly why: string }>;
  forget(point: number): Promise<void>;
}

/** Creates the points of a network. `tasks` returns all its processes. */
export function networkPoints(clock: ClockServer, tasks: () => readonly LiveTask[]): NetworkPoints {
  /** In the order in which they were taken. */
  const known = new Set<number>();

  /** Returns the processes that take part; undefined where one cannot. l1-beacon answers for the L1 that it drives. */
  function members(): readonly string[] | undefined {
    const connected = clock.reports();
    const all = tasks();
    const isDriven = all.some(({ task }) => task.kind === 'beacon' && connected.has(task.id));
    const rest = all.filter(({ task }) => !(task.kind === 'l1' && isDriven));
    return rest.every(({ task }) => connected.has(task.id)) ? rest.map(({ task }) => task.id) : undefined;
  }

  async function forget(point: number): Promise<void> {
    known.delete(point);
    await clock.stepTo('forget', point, members() ?? []).catch(() => {});
  }

  return {
    async remember(point) {
      const all = members();
      if (all === undefined) return false;
      try {
        await clock.stepTo('remember', point, all);
      } catch {
        await forget(point);
        return false;
      }
      known.delete(point);
      known.add(point);
      return true;
    },
    async goBack(point, at, held) {
      const all = members();
      if (!known.has(point) || all === undefined) return 'unknown';
      try {
        // No process acts on what another one has already taken back.
        await clock.stepTo('suspend', point, all);
        await clock.stepTo('goBack', point, all);
        held.move(at);
        await clock.stepTo('resume', point, all);
      } catch (error) {
        known.clear();
        return { why: messageOf(error) };
      }
      const order = [...known];
      for (const later of order.slice(order.indexOf(point) + 1)) known.delete(later);
      return 'done';
    },
    forget,
  };
}
