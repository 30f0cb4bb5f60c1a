import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../system/failure.ts';
import { signalProcess } from '../../system/process/group.ts';
import { stillRuns } from '../../system/process/identity.ts';
import { onInterrupt } from '../../system/program/terminal.ts';
import { connectControl } from '../control/client.ts';
import type { EndAnswer } from '../control/supervisor-protocol.ts';
import { type Devnet, devnetAt } from '../devnet/select.ts';
import { endLeftovers, readPlan, removeDevnet } from '../folder/devnet-folder.ts';
import { lockToClear } from '../folder/lock.ts';
import { listedTasks } from '../plan/order.ts';
import type { Event } from '../state/events.ts';
import type { Paths } from '../state/paths.ts';
import type { State } from '../state/state.ts';
import type { Io } from '../terminal/io.ts';
import { showTasks, type TaskList } from '../terminal/task-list.ts';

type How = 'stop' | 'down' | 'keep';

/**
 * Ends a devnet through its supervisor, or directly if no supervisor answers. Returns whether everything ended;
 * failures are written to stderr. `shows`: its processes as they end.
 */
export async function endDevnet(io: Io, devnet: Devnet, how: How, shows = true): Promise<boolean> {
  const { paths, owner } = devnet;
  let clean = true;
  if (owner) {
    clean = await endBySupervisor(io, devnet, how, shows);
    for (let waited = 0; stillRuns(owner) && waited < 2000; waited += 5) await sleep(5);
    if (stillRuns(owner)) {
      io.stderr(`supervisor ${owner.pid} does not answer: killing it\n`);
      signalProcess(owner.pid, 'SIGKILL');
      for (let waited = 0; stillRuns(owner) && waited < 2000; waited += 5) await sleep(5);
    }
    if (clean && devnetAt(paths).owner === undefined && how !== 'down') return true;
  }
  return (await clearAway(io, paths, how)) && clean;
}

async function endBySupervisor(io: Io, { paths }: Devnet, how: How, shows: boolean): Promise<boolean> {
  const control = await connectControl(paths.control);
  if (control === undefined) return true;
  // A supervisor that hangs would never answer.
  const answer = await control.ask<{ readonly state: State }>({ method: 'state' }, 5000).catch(() => undefined);
  if (answer === undefined) return false;
  let times = 0;
  // An interrupt turns the teardown into a kill instead of leaving it half done.
  const unfollow = onInterrupt(() => {
    times += 1;
    if (times === 1) void control.ask({ method: 'down', keepData: how !== 'down', kill: true }).catch(() => undefined);
  });
  try {
    const plan = shows ? readPlan(paths) : undefined;
    const ids = plan === undefined ? [] : listedTasks(plan).map(({ id }) => id);
    const running = ids.filter((id) => answer.state.tasks[id]?.process !== undefined);
    const { killed, errors } = await showTasks(io, 'stopping', running, (list) => {
      if (shows) void control.events((event) => showEnd(list, event));
      return control.ask<EndAnswer>(how === 'stop' ? { method: 'stop' } : { method: 'down', keepData: how === 'keep' });
    });
    for (const line of killed) io.stderr(`${line}\n`);
    for (const line of errors) io.stderr(`while tearing down: ${line}\n`);
    return errors.length === 0;
  } catch (error) {
    io.stderr(`${messageOf(error)}\n`);
    return false;
  } finally {
    unfollow();
    control.close();
  }
}

function showEnd(list: TaskList, event: Event): void {
  if (event.event !== 'task') return;
  if (event.phase === 'stopped' || event.phase === 'failed') list.done(event.task);
  else list.detail(event.task, event.phase);
}

/** Ends the processes and removes the files of a devnet without supervisor. Returns whether all of it worked. */
export async function clearAway(io: Io, paths: Paths, how: How): Promise<boolean> {
  const release = await lockToClear(paths.lock);
  if (release === undefined) return true;
  try {
    await endLeftovers(paths);
    if (how === 'down') removeDevnet(paths);
    return true;
  } catch (error) {
    io.stderr(`${messageOf(error)}\n`);
    return false;
  } finally {
    release();
  }
}
