import { messageOf } from '../../system/failure.ts';
import type { ChannelServer } from '../channel/channel-server.ts';
import type { HeldClock } from '../clock/reading.ts';
import type { LiveTask } from '../processes/live-task.ts';

/** Checkpoints of a network, which its processes hold in memory: to restore one needs no restart. */
export interface NetworkCheckpoints {
  /**
   * Has every process take a checkpoint. The clock stands, and all are done with its time. Returns false if one cannot,
   * such as a client of another project: then a restore restarts the processes.
   */
  take(checkpoint: number): Promise<boolean>;
  /**
   * Has all processes restore a checkpoint at once and sets the clock. Returns why that was impossible. Then the states
   * of the processes are undefined, and they must be started again.
   */
  restore(checkpoint: number, at: number, clock: HeldClock): Promise<'done' | 'unknown' | { readonly why: string }>;
  drop(checkpoint: number): Promise<void>;
}

/** Creates the checkpoints of a network. `tasks` returns all its processes. */
export function networkCheckpoints(
  channel: Pick<ChannelServer, 'quiesce' | 'checkpoints'>,
  tasks: () => readonly LiveTask[],
): NetworkCheckpoints {
  /** In the order in which they were taken. */
  const numbers = new Set<number>();

  /** Returns the processes that take part; undefined if one cannot. l1-beacon answers for anvil. */
  function members(): readonly string[] | undefined {
    const connected = channel.quiesce.reports();
    const all = tasks();
    const isDriven = all.some(({ task }) => task.kind === 'beacon' && connected.has(task.id));
    const rest = all.filter(({ task }) => !(task.kind === 'l1' && isDriven && !connected.has(task.id)));
    return rest.every(({ task }) => connected.has(task.id)) ? rest.map(({ task }) => task.id) : undefined;
  }

  async function drop(checkpoint: number): Promise<void> {
    numbers.delete(checkpoint);
    await channel.checkpoints.step('drop', checkpoint, members() ?? []).catch(() => {});
  }

  return {
    async take(checkpoint) {
      const all = members();
      if (all === undefined) return false;
      try {
        await channel.checkpoints.step('take', checkpoint, all);
      } catch {
        await drop(checkpoint);
        return false;
      }
      numbers.delete(checkpoint);
      numbers.add(checkpoint);
      return true;
    },
    async restore(checkpoint, at, clockHold) {
      const all = members();
      if (!numbers.has(checkpoint) || all === undefined) return 'unknown';
      try {
        // A process that still ran would act on what another one has restored.
        await channel.checkpoints.step('suspend', checkpoint, all);
        await channel.checkpoints.step('restore', checkpoint, all);
        clockHold.move(at);
        await channel.checkpoints.step('resume', checkpoint, all);
      } catch (error) {
        numbers.clear();
        return { why: messageOf(error) };
      }
      const order = [...numbers];
      for (const later of order.slice(order.indexOf(checkpoint) + 1)) numbers.delete(later);
      return 'done';
    },
    drop,
  };
}
