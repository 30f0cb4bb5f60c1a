import { join } from 'node:path';
import { EXIT } from '../../system/failure.ts';
import { replaceFile } from '../../system/files/folder.ts';
import { inheritedEnvironment } from '../../system/process/process.ts';
import { serveChannel } from '../channel/channel-server.ts';
import { DATA } from '../checkpoints/snapshots.ts';
import { TimeControl } from '../clock/time-control.ts';
import { serveControl } from '../control/server.ts';
import type { EndAnswer } from '../control/supervisor-protocol.ts';
import { dropReplaced, writeClock } from '../folder/devnet-folder.ts';
import { type FileSources, startFiles } from '../folder/files.ts';
import { reservationsOf } from '../folder/reservations.ts';
import { placeTaskData } from '../folder/task-data.ts';
import { secretFiles } from '../plan/secret-files.ts';
import { runDashboard } from '../processes/dashboard.ts';
import { aborted } from '../processes/launch.ts';
import { Network } from '../processes/network.ts';
import { faultReport, TaskFailure } from '../processes/report.ts';
import type { StateRecord } from '../record/state-record.ts';
import { type Paths, stampOf, tracesOf } from '../state/paths.ts';
import { changesOf } from './changes.ts';
import { endSession } from './end-session.ts';
import type { Finish } from './finish.ts';
import type { FirstOrder, OwnIo } from './first-order.ts';
import { openPlan } from './opened-plan.ts';
import { requestHandlers } from './request-handlers.ts';
import { runtimesOf } from './runtimes.ts';
import { sessionRecord } from './session-record.ts';
import { hasToPrepare, startNetwork } from './start-network.ts';
import { watchNetwork } from './watch-network.ts';
import { watchProcesses } from './watch-processes.ts';

/**
 * Runs a devnet from its first process to its last, and returns the exit code. Composes what the session consists of:
 * each part is told of the others what it needs, and what ends the session resolves `finish`.
 */
export async function runSession(order: FirstOrder, paths: Paths, io: OwnIo): Promise<number> {
  const finish = Promise.withResolvers<Finish>();
  const { own, guard } = io;
  const env = { ...inheritedEnvironment(io.env), ...stampOf(paths) };
  const opened = await openPlan(order, paths, own);
  let { plan } = opened;
  const channel = await serveChannel(paths.clockSocket, opened.clock);
  const { record, events, serve, tell } = sessionRecord(paths, io, channel.clock);
  if (opened.isPaused)
    record.emit({ event: 'notice', text: 'the clock stands, as before the stop; `devnet resume` lets it go on' });
  guard.remove(paths.control, paths.clockSocket, ...(order.kind === 'up' ? reservationsOf(paths) : []));

  const files = order.kind === 'up' ? startFiles(plan.files, plan, io.render, sourcesOf(order, io)) : undefined;
  const spec = order.kind === 'up' ? io.text(paths.spec).then((text = '') => replaceFile(paths.spec, text)) : undefined;
  void Promise.all([files?.all, spec]).then(
    () => dropReplaced(paths),
    () => undefined,
  );
  const usable = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const starting = new AbortController();
  const { signal } = starting;
  const runtime = runtimesOf(() => plan, { paths, own, env: io.env, inherited: env, guard });
  const network = new Network(
    plan,
    {
      files: (task) => files?.forTask(task) ?? Promise.resolve(),
      secretFiles: secretFiles(plan.files),
      runtime,
      emit: record.emit,
      set: (live, phase, detail) => record.set(live, phase, detail),
      learn: (live) => void usable.promise.then(() => live.learnVersion(runtime)),
    },
    ({ report }) => finish.resolve({ how: 'failed', code: EXIT.failed, failure: report }),
  );
  record.follow(network.tasks);
  const { logBytes } = plan;
  const { logs, orphans, removal } = watchProcesses(paths, io, { network, record, logBytes }, finish.resolve);

  const time = new TimeControl({
    plan: () => plan,
    tasks: network.tasks,
    channel,
    emit: record.emit,
    isPaused: opened.isPaused,
    keep(state, isPaused) {
      writeClock(paths, state, isPaused);
      record.write();
    },
    late: late.promise,
    signal,
  });
  let headsGoBack: ((isUnderWay: boolean) => void) | undefined;
  const changes = changesOf({
    ...{ paths, io, network, record, time, channel, signal, plan: () => plan },
    onPlan(next) {
      plan = next;
    },
    onRestore: (isUnderWay) => headsGoBack?.(isUnderWay),
  });

  const ended = Promise.withResolvers<EndAnswer>();
  /** Rejects with the failure that ends the network: the answer to each change under way. */
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const handlers = requestHandlers({
    ...{ ...changes, record, time, kill: io.kill, finish: finish.resolve },
    ...{ failed: failed.promise, ended: ended.promise },
  });
  const controlled = serveControl(paths.control, handlers, events.present).then((server) => {
    serve(server);
    return server;
  });

  onEnd({ order, io, record }, finish.resolve);
  let page: Promise<void> | undefined;
  void startNetwork({
    ...{ order, io, paths, plan, network, record, time, files, starting, end: finish.resolve },
    served: () => Promise.all([controlled, spec]),
    onUsable() {
      usable.resolve();
      // Its WebSocket client takes 10 ms to load, in a process that the whole start waits for.
      if (plan.time.clock === 'instant')
        void import('../clock/instant.ts').then(({ followTransactions }) =>
          followTransactions(
            plan,
            { now: () => time.read().at, advance: (blockTime) => time.advance(blockTime) },
            signal,
          ),
        );
      void network.startLate(hasToPrepare(order), signal).finally(() => late.resolve());
      headsGoBack = watchNetwork({ paths, plan: () => plan, network, record, events, time, signal });
    },
    onReady() {
      const { mark } = tracesOf(paths);
      if (plan.dashboard !== undefined)
        page = runDashboard(plan.dashboard, {
          ...{ env, mark, guard, signal },
          ...{ emit: record.emit, ended: (how) => record.dashboardEnded(how) },
        });
    },
  });

  const finished = await finish.promise;
  removal.close();
  if (finished.failure !== undefined) failed.reject(new TaskFailure(finished.failure));
  starting.abort(new Error('the network ends'));
  const end = await endSession(finished, {
    ...{ io, paths, network, record, runtime, orphans, logs, channel, files },
    others: Promise.all([page, controlled.catch(() => undefined)]),
  });
  ended.resolve({ killed: end.killed, errors: end.errors });
  tell(end);
  // The answer to the request that ended the devnet goes out before the socket closes.
  await new Promise((resolve) => setImmediate(resolve));
  await (await controlled.catch(() => undefined))?.close();
  return end.code;
}

/** Ends a session at a fault of this program, and when its user interrupts it. */
function onEnd(
  { order, io, record }: { readonly order: FirstOrder; readonly io: OwnIo; readonly record: StateRecord },
  end: (finish: Finish) => void,
): void {
  const fault = (error: unknown) => end({ how: 'failed', code: EXIT.failed, failure: faultReport(error) });
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);
  void aborted(io.interrupt).then(() =>
    // An interrupted start leaves nothing behind. A stopped devnet that was resuming keeps its chain.
    end({ how: record.wasReady || order.kind === 'up' ? 'down' : 'keep', code: EXIT.interrupted }),
  );
}

function sourcesOf({ plan, from, rendered = {} }: Extract<FirstOrder, { kind: 'up' }>, { text }: OwnIo): FileSources {
  return {
    async rendered({ path }) {
      const known = rendered[path];
      return known === 'follows' ? text(path) : known;
    },
    ...(from && { place: (task) => placeTaskData(task, plan, join(from.folder, DATA)) }),
  };
}
