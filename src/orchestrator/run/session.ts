import { join } from 'node:path';
import type { ClockState } from '../../system/clock-state.ts';
import { EXIT, messageOf } from '../../system/failure.ts';
import { replaceFile } from '../../system/folder.ts';
import { inheritedEnvironment } from '../../system/process.ts';
import { identify, type ProcessIdentity } from '../../system/process-identity.ts';
import { Observer } from '../observe/comparison/observer.ts';
import { watchHealth } from '../observe/health/watch.ts';
import type { Plan, PlannedDashboard } from '../plan/plan.ts';
import { secretFiles } from '../plan/secret-files.ts';
import { type AfterCommand, runAfter } from './after.ts';
import { type Missing, untilAgreed, untilSafe } from './agreed.ts';
import { answerClock } from './clock/answer.ts';
import { serveClock } from './clock/clock-server.ts';
import { followTransactions } from './clock/instant.ts';
import { timeControl, usualRate } from './clock/time-control.ts';
import { type ControlServer, serveControl } from './control-server.ts';
import { runDashboard } from './dashboard.ts';
import { deadlines } from './deadlines.ts';
import { divergenceReports } from './divergence-reports.ts';
import type { Event } from './events.ts';
import type { FailureReport } from './failure-report.ts';
import { type Render, type Rendered, startFiles } from './files.ts';
import { gatePoints } from './gate-points.ts';
import type { GuardClient } from './guard-client.ts';
import { freshFolder, readPlan, removeDevnet, writeClock } from './home.ts';
import { aborted, type LaunchContext, OutOfTime } from './launch.ts';
import { awaitLock, releaseLock } from './lock.ts';
import { limitLogs } from './log-limit.ts';
import { createNetwork } from './network.ts';
import { createNetworkEvents, matters } from './network-events.ts';
import { nodeActions } from './node-action.ts';
import { watchOrphans } from './orphans.ts';
import { type Paths, pathsOf, stampOf, tracesOf } from './paths.ts';
import { networkPoints } from './points.ts';
import { createRecord, faultReport } from './record.ts';
import { TaskFailure } from './report.ts';
import type { Request } from './requests.ts';
import { reservationsOf } from './reservations.ts';
import { resume } from './resume.ts';
import { runtimesOf } from './runtimes/all.ts';
import { DATA, snapshots } from './snapshots.ts';
import type { EndAnswer, Order } from './supervisor-protocol.ts';
import { sweepAll } from './sweep-all.ts';
import { placeData } from './task-data.ts';
import { turns } from './turns.ts';
import { learnVersion } from './version.ts';

export interface SessionIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guard: GuardClient;
  readonly render: Render;
  /** Resolves with the text of a large file from the command line, undefined where it sends none. */
  text(path: string): Promise<string | undefined>;
  /** Sends an event to the command line, while it is connected. */
  tell(event: Event): void;
  readonly interrupt: AbortSignal;
  readonly kill: AbortController;
}

interface OwnIo extends SessionIo {
  /** This process. */
  readonly own: ProcessIdentity;
}

/** How a session ends. */
interface Finish {
  readonly how: 'stop' | 'down' | 'keep' | 'failed';
  readonly code: number;
  readonly failure?: FailureReport;
}

type FirstOrder = Extract<Order, { kind: 'up' | 'resume' }>;

/**
 * Runs a devnet under its lock and returns the exit code.
 * The guard starts before and ends after it, so that it sees the lock and all else removed.
 */
export async function startSession(order: FirstOrder, io: SessionIo): Promise<number> {
  const paths = pathsOf(order.home, order.kind === 'up' ? order.plan.devnet : order.name);
  const own = identify(process.pid) ?? { pid: process.pid, started: '', boot: '' };
  io.guard.watch({
    kind: 'watch',
    supervisor: own,
    traces: { ...tracesOf(paths), since: own.started },
    lock: paths.lock,
  });
  return runLocked(order, paths, { ...io, own });
}

async function runLocked(order: FirstOrder, paths: Paths, io: OwnIo): Promise<number> {
  let lock: Awaited<ReturnType<typeof awaitLock>>;
  try {
    lock = await awaitLock(paths.lock, 'supervisor');
  } catch (error) {
    io.tell({ event: 'notice', text: messageOf(error) });
    io.tell({ event: 'end', code: EXIT.lacking, killed: [], errors: [messageOf(error)] });
    return EXIT.lacking;
  }
  if (!lock.taken) {
    io.tell({ event: 'taken', pid: lock.owner?.pid ?? 0, since: lock.owner?.since ?? 0 });
    return EXIT.alreadyUp;
  }
  try {
    return await runSession(order, paths, io);
  } catch (error) {
    io.tell({ event: 'failure', failure: faultReport(error) });
    io.tell({ event: 'end', code: EXIT.failed, killed: [], errors: [] });
    return EXIT.failed;
  } finally {
    releaseLock(paths.lock);
  }
}

async function runSession(order: FirstOrder, paths: Paths, io: OwnIo): Promise<number> {
  const finish = Promise.withResolvers<Finish>();
  const { own, guard } = io;
  const env = { ...inheritedEnvironment(io.env), ...stampOf(paths) };
  let plan: Plan;
  let initial: ClockState;
  if (order.kind === 'up') {
    plan = order.plan;
    const wall = Date.now();
    const first = plan.time.clock === 'stepped' ? plan.genesisTime * 1000 : wall;
    initial = { at: order.from?.at ?? first, wall, rate: usualRate(plan) };
    await freshFolder(paths);
    if (order.from !== undefined) await placeData(plan, join(order.from.folder, DATA));
    replaceFile(paths.plan, JSON.stringify(plan));
  } else {
    const stored = readPlan(paths);
    if (stored === undefined) throw new Error(`there is no plan of ${paths.name} to go on with (${paths.plan})`);
    plan = stored;
    initial = await resume(paths, plan, own);
  }
  const clock = await serveClock(paths.clockSocket, initial);
  const events = createNetworkEvents((network) => {
    if (matters(network)) io.tell({ event: 'network', network });
    control?.tell({ event: 'network', network });
  });
  const record = createRecord(paths, own, clock.state, (event) => {
    io.tell(event);
    control?.tell(event);
    events.follow(event);
  });
  record.write();
  writeClock(paths, initial);
  guard.remove(paths.control, paths.clockSocket, ...(order.kind === 'up' ? reservationsOf(paths) : []));

  const files = order.kind === 'up' ? startFiles(plan.files, plan, io.render, renderedBy(order, io)) : undefined;
  const spec = order.kind === 'up' ? io.text(paths.spec).then((text = '') => replaceFile(paths.spec, text)) : undefined;
  spec?.catch(() => undefined);
  const isUp = Promise.withResolvers<void>();
  const runtime = runtimesOf(() => plan, { paths, own, env: io.env, inherited: env, guard });
  const context: Omit<LaunchContext, 'others'> = {
    files: (task) => files?.forTask(task) ?? Promise.resolve(),
    secretFiles: secretFiles(plan.files),
    runtime,
    emit: record.emit,
    set: record.set,
    learn: (live) => void isUp.promise.then(() => learnVersion(live, runtime)),
  };
  const network = createNetwork(plan, context, (failure) =>
    finish.resolve({ how: 'failed', code: EXIT.failed, failure: failure.report }),
  );
  record.follow(network.tasks);
  const after = { task: { id: 'after', log: paths.after }, logStart: 0 };
  const logs = limitLogs(() => [...network.tasks.values(), after], plan.logBytes, record.emit);
  const orphans = watchOrphans(
    () => [...network.tasks.values()].flatMap((live) => live.running?.process?.pid ?? []),
    (all) => {
      guard.orphans(all);
      record.orphans(all);
    },
  );
  const starting = new AbortController();
  const manual = plan.tasks.some((task) => task.launch === 'manual' && task.late !== true);
  const deadline = manual ? undefined : deadlines(order.options, () => record.state().stamps, starting);
  const waiting = setInterval(() => record.tellWaiting(), 5000);
  let control: ControlServer | undefined;
  const controlled = serveControl(paths.control, handle, events.present).then((server) => {
    control = server;
  });

  let page: Promise<void> | undefined;
  /** Grows when a return to an earlier moment begins, and when it ends. */
  let returns = 0;
  const late = Promise.withResolvers<void>();
  const time = timeControl({
    plan: () => plan,
    tasks: network.tasks,
    server: clock,
    emit: record.emit,
    keep(state) {
      writeClock(paths, state);
      record.clockMoved();
    },
    late: late.promise,
    signal: starting.signal,
  });

  clock.serveMoves(async (to) => {
    if (!record.wasReady()) throw new Error('the network is still starting: wait until it is ready');
    return (await time.warp(to)).at;
  });

  // The data of a snapshot are prepared already.
  const prepares = order.kind === 'up' && order.from === undefined;

  function afterwards(commands: readonly AfterCommand[]): Promise<FailureReport | undefined> {
    const { mark } = tracesOf(paths);
    const [stamp, { emit }, { signal }] = [stampOf(paths), record, starting];
    return runAfter(commands, { log: paths.after, stamp, mark, guard, emit, signal });
  }

  function serveDashboard(dashboard: PlannedDashboard): Promise<void> {
    const { mark } = tracesOf(paths);
    return runDashboard(dashboard, { env, mark, guard, emit: record.emit, signal: starting.signal });
  }

  /** Ends a start whose time is over. Any other end is under way already. */
  function tooLate(lacks: 'processes' | 'first block' | 'safe block', missing?: Missing): void {
    const { reason } = starting.signal;
    if (!(reason instanceof OutOfTime)) return;
    finish.resolve({ how: 'failed', code: EXIT.notReady, failure: record.tooLate(reason, lacks, missing) });
  }

  async function start(): Promise<void> {
    try {
      const first = [...network.tasks.values()].filter(({ task }) => task.late !== true);
      void Promise.all(first.map(({ spawned }) => spawned.promise)).then(() => record.stamp('spawned'));
      // The first block may exist before the last endpoint answers, so both are awaited at once.
      const agreed = untilAgreed(
        plan,
        starting.signal,
        (task) => network.tasks.get(task)?.ready.promise ?? Promise.resolve(),
      );
      await Promise.all([files?.all, network.start(prepares, starting.signal)]);
      record.stamp('answering');
      await time.begin();
      const missing = await agreed;
      if (starting.signal.aborted) return tooLate('first block', missing);
      await controlled;
      await spec;
      record.stamp('agreed');
      record.usable();
      isUp.resolve();
      if (plan.time.clock === 'instant') followTransactions(plan, time.advance, starting.signal);
      void network.startLate(prepares, starting.signal).finally(() => late.resolve());
      clearInterval(waiting);
      watchHealth({
        plan,
        tasks: network.tasks,
        folder: paths.folder,
        clock: time,
        returns: () => returns,
        found(problems) {
          record.problems(problems);
          events.problems(problems);
        },
        observer: new Observer({
          plan: () => plan,
          emit: events.emit,
          diverged: divergenceReports({
            folder: paths.folder,
            plan: () => plan,
            emit: events.emit,
            keep: record.report,
            notice: (text) => record.emit({ event: 'notice', text }),
          }),
        }),
        signal: starting.signal,
      });
      const safe = untilSafe(plan, starting.signal).then((missing) => {
        if (missing === undefined) record.stamp('safe');
        return missing;
      });
      const failed = order.kind === 'up' ? await afterwards(order.after) : undefined;
      if (failed !== undefined) return finish.resolve({ how: 'failed', code: failed.exit, failure: failed });
      const unsafe = order.options.untilSafe ? await safe : undefined;
      if (starting.signal.aborted) return tooLate('safe block', unsafe);
      deadline?.clear();
      record.ready(order.options.ttlMs);
      if (plan.dashboard !== undefined) page = serveDashboard(plan.dashboard);
      if (order.options.ttlMs !== undefined)
        setTimeout(() => finish.resolve({ how: 'down', code: EXIT.done }), order.options.ttlMs);
    } catch (error) {
      if (error instanceof TaskFailure)
        finish.resolve({ how: 'failed', code: error.report.exit, failure: error.report });
      else if (!starting.signal.aborted)
        finish.resolve({ how: 'failed', code: EXIT.failed, failure: record.fault(error) });
      else tooLate('processes');
    } finally {
      deadline?.clear();
      clearInterval(waiting);
    }
  }

  const ended = Promise.withResolvers<EndAnswer>();
  const inTurn = turns();
  const nodeAction = nodeActions({
    turns: inTurn,
    paths,
    network,
    record,
    render: io.render,
    kill: io.kill.signal,
    ending: starting.signal,
    plan: () => plan,
    onPlan: (next) => {
      plan = next;
    },
  });

  const snapshot = snapshots({
    ...{ paths, network, record, time, clock, turns: inTurn, plan: () => plan },
    ...{ render: io.render, ending: starting.signal },
    points: networkPoints(clock, () => [...network.tasks.values()]),
    onReturn: () => returns++,
  });
  clock.servePoints(gatePoints(paths, snapshot));

  async function handle(request: Request, gone: AbortSignal): Promise<unknown> {
    if (request.method === 'state') return { state: record.state() };
    if (request.method === 'node') return nodeAction(request);
    if (request.method === 'snapshot') return snapshot(request);
    if (request.method === 'clock' || request.method === 'warp' || request.method === 'jump')
      return answerClock(request, time, record.wasReady(), gone);
    if (request.method === 'stop') finish.resolve({ how: 'stop', code: EXIT.done });
    if (request.method === 'down') {
      if (request.kill) io.kill.abort();
      finish.resolve({ how: request.keepData ? 'keep' : 'down', code: EXIT.done });
    }
    return ended.promise;
  }

  const fault = (error: unknown) => finish.resolve({ how: 'failed', code: EXIT.failed, failure: record.fault(error) });
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);
  void aborted(io.interrupt).then(() =>
    // An interrupted start leaves nothing behind. A stopped devnet that was resuming keeps its chain.
    finish.resolve({ how: record.wasReady() || order.kind === 'up' ? 'down' : 'keep', code: EXIT.interrupted }),
  );
  void start();

  const { how, code, failure } = await finish.promise;
  starting.abort(new Error('the network ends'));
  orphans.look();
  orphans.close();
  logs.close();
  if (failure) record.fail(failure);
  record.ending(how);
  const { killed, errors: resisting } = await network.endAll(how === 'stop' || how === 'keep', io.kill.signal);
  await page;
  const left = await errorOf(runtime.close());
  const errors = [...resisting, ...left, ...(await sweepAll(paths, own, orphans.all))];
  await controlled.catch(() => undefined);
  await clock.close();
  await files?.stop();
  // With its folder, a second `down` finds what is left outside.
  if (how === 'down' && left.length === 0) removeDevnet(paths);
  else record.ended(how === 'down' ? 'keep' : how);
  record.close();
  ended.resolve({ killed, errors });
  const kept = how === 'down' ? {} : { kept: paths.folder };
  const end: Event = {
    event: 'end',
    code: errors.length > 0 && code === EXIT.done ? EXIT.failed : code,
    killed,
    errors,
    ...kept,
  };
  io.tell(end);
  control?.tell(end);
  // The answer to the request that ended the devnet goes out before the socket closes.
  await new Promise((resolve) => setImmediate(resolve));
  await control?.close();
  return end.code;
}

/** Resolves with the error of some work, or with none. */
async function errorOf(work: Promise<void>): Promise<readonly string[]> {
  try {
    await work;
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function renderedBy({ rendered = {} }: Extract<Order, { kind: 'up' }>, { text }: SessionIo): Rendered {
  return async ({ path }) => {
    const known = rendered[path];
    return known === 'follows' ? text(path) : known;
  };
}
