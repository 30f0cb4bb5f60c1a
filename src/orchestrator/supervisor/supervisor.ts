import type { Readable, Writable } from 'node:stream';
import { EXIT, Failure } from '../../system/failure.ts';
import { replaceFile } from '../../system/files/folder.ts';
import { readMessages } from '../../system/net/socket.ts';
import { identify, type ProcessIdentity } from '../../system/process/identity.ts';
import { inheritedEnvironment } from '../../system/process/process.ts';
import { sweep } from '../../system/process/sweep.ts';
import { usualRate } from '../clock/time-control.ts';
import { commandTraces } from '../control/command-stamp.ts';
import type { Order } from '../control/supervisor-protocol.ts';
import { bringBack, freshFolder, writeClock } from '../folder/devnet-folder.ts';
import type { Render } from '../folder/files.ts';
import { awaitLock, releaseLock } from '../folder/lock.ts';
import { GuardClient } from '../guard/client.ts';
import { releasePorts } from '../ports/reservations.ts';
import { faultReport } from '../processes/report.ts';
import type { Event } from '../state/events.ts';
import { homeFolder, type Paths, pathsOf, tracesOf } from '../state/paths.ts';
import type { FirstOrder, OpenedPlan, OwnIo, SessionIo } from './first-order.ts';
import { openStored } from './resume.ts';
import { runSession } from './run-session.ts';

/** The streams and surroundings of the supervisor. */
export interface SupervisorIo {
  readonly input: Readable;
  readonly output: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command that starts a guard. */
  readonly guard: readonly string[];
  readonly render: Render;
}

/**
 * Owns one devnet from its first process to its last. Returns the exit code.
 * It runs a plan, serves the control socket, and tears down on request, when a node fails, or when the command line is
 * gone before it detached.
 */
export async function main(io: SupervisorIo): Promise<number> {
  process.title = 'devnet-supervisor';
  process.umask(0o077);
  // A process that works in a devnet's folder counts as part of the devnet.
  process.chdir('/');
  let attached = true;
  const first = Promise.withResolvers<Extract<Order, { kind: 'up' | 'resume' }> | undefined>();
  const texts = expected<string | undefined>();
  const interrupt = new AbortController();
  const kill = new AbortController();
  io.output.on('error', () => undefined);
  const command = commandTraces(process.ppid);
  let isAlone = false;
  const leave = () => {
    first.resolve(undefined);
    isAlone = attached;
    if (attached) interrupt.abort();
  };
  io.input.on('end', leave).on('close', leave).on('error', leave);
  readMessages<Order>(
    io.input,
    (order) => {
      if (order.kind === 'up' || order.kind === 'resume') first.resolve(order);
      else if (order.kind === 'text') texts.get(order.path).resolve(order.text);
      else if (order.kind === 'detach') attached = false;
      else if (order.kind === 'interrupt') interrupt.abort();
      else kill.abort();
    },
    leave,
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      first.resolve(undefined);
      interrupt.abort();
    });
  // The guard boots while the command line plans.
  const guard = new GuardClient(io.guard, {
    ...inheritedEnvironment(io.env),
    DEVNET_HOME: io.env['DEVNET_HOME'] ?? '',
    DEVNET_PROCESS: 'guard',
  });
  try {
    const order = await first.promise;
    if (order === undefined) {
      // A command line that was killed while it planned has reserved ports for this process.
      releasePorts(homeFolder(io.env), { supervisor: process.pid });
      return 0;
    }
    const tell = (event: Event) => {
      if (attached && io.output.writable) io.output.write(JSON.stringify(event) + '\n');
    };
    return await startSession(order, {
      ...io,
      guard,
      text: (path) => texts.get(path).promise,
      tell,
      interrupt: interrupt.signal,
      kill,
    });
  } finally {
    // Its command line was killed, and with it the only process that knew of a command of its user.
    if (isAlone) await sweep(command).catch(() => undefined);
    await guard.release();
  }
}

/** Values that are awaited before or after they arrive. */
function expected<T>() {
  const values = new Map<string, PromiseWithResolvers<T>>();
  return {
    get(key: string): PromiseWithResolvers<T> {
      const value = values.get(key) ?? Promise.withResolvers<T>();
      values.set(key, value);
      return value;
    },
  };
}

/**
 * Runs a devnet under its lock and returns the exit code.
 * The guard starts before and ends after it, so that it sees the lock and all else removed.
 */
async function startSession(order: FirstOrder, io: SessionIo): Promise<number> {
  const paths = pathsOf(order.home, order.kind === 'up' ? order.plan.devnet : order.name);
  const self = identify(process.pid) ?? { pid: process.pid, started: '', boot: '' };
  io.guard.watch({
    kind: 'watch',
    supervisor: self,
    traces: { ...tracesOf(paths), since: self.started },
    lock: paths.lock,
  });
  return runLocked(order, paths, { ...io, self });
}

async function runLocked(order: FirstOrder, paths: Paths, io: OwnIo): Promise<number> {
  let lock: Awaited<ReturnType<typeof awaitLock>>;
  try {
    lock = await awaitLock(paths.lock, 'supervisor');
  } catch (error) {
    io.tell({ event: 'failure', failure: faultReport(error) });
    io.tell({ event: 'end', code: EXIT.lacking, killed: [], errors: [] });
    return EXIT.lacking;
  }
  if (!lock.isTaken) {
    io.tell({ event: 'taken', pid: lock.owner?.pid ?? 0, since: lock.owner?.since ?? 0 });
    return EXIT.alreadyUp;
  }
  try {
    return await runSession(order, paths, io, await openPlan(order, paths, io.self));
  } catch (error) {
    bringBack(paths);
    io.tell({ event: 'failure', failure: faultReport(error) });
    const code = error instanceof Failure ? error.exit : EXIT.failed;
    io.tell({ event: 'end', code, killed: [], errors: [] });
    return code;
  } finally {
    releaseLock(paths.lock);
  }
}

/**
 * Prepares the devnet's folder and returns the plan to run. `up` begins with a new plan in an empty folder, and at the
 * time of a snapshot if it has one. `resume` begins with the stored plan of a stopped devnet.
 * @throws if a stopped devnet has no stored plan
 */
async function openPlan(order: FirstOrder, paths: Paths, self: ProcessIdentity): Promise<OpenedPlan> {
  const opened = order.kind === 'up' ? await placeNew(order, paths) : await openStored(paths, self);
  writeClock(paths, opened.clock, opened.isPaused);
  return opened;
}

async function placeNew({ plan, from }: Extract<FirstOrder, { kind: 'up' }>, paths: Paths): Promise<OpenedPlan> {
  const wall = Date.now();
  const first = plan.time.clock === 'stepped' ? plan.genesisTime * 1000 : wall;
  await freshFolder(paths);
  replaceFile(paths.plan, JSON.stringify(plan));
  return { plan, clock: { at: from?.at ?? first, wall, rate: usualRate(plan) }, isPaused: false };
}
