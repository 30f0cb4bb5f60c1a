import { EXIT } from '../../system/failure.ts';
import { inheritedEnvironment } from '../../system/process/process.ts';
import { createMutex } from '../../system/time/mutex.ts';
import { type ChannelServer, serveChannel } from '../channel/channel-server.ts';
import { TimeControl } from '../clock/time-control.ts';
import { type ControlSocket, serveControl } from '../control/server.ts';
import type { EndAnswer } from '../control/supervisor-protocol.ts';
import { Faults } from '../faults/faults.ts';
import { Links } from '../faults/links.ts';
import { writeClock } from '../folder/devnet-folder.ts';
import type { Plan } from '../plan/plan.ts';
import { secretFiles } from '../plan/secret-files.ts';
import { runDashboard } from '../processes/dashboard.ts';
import { untilAborted } from '../processes/launch.ts';
import { Network } from '../processes/network.ts';
import { faultReport, TaskFailure } from '../processes/report.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { Runtime } from '../runtimes/interface/runtime.ts';
import { runtimesOf } from '../runtimes/runtimes.ts';
import { type Paths, stampOf, tracesOf } from '../state/paths.ts';
import { L1Control } from './actions/l1-control.ts';
import { startSequencing } from './actions/sequencing.ts';
import { dropStopped, stoppedSequencer } from './actions/stopped-sequencer.ts';
import { changesOf } from './changes.ts';
import { endSession } from './end-session.ts';
import type { Finish } from './finish.ts';
import type { FirstOrder, OpenedPlan, OwnIo } from './first-order.ts';
import { requestHandlers } from './request-handlers.ts';
import { type SessionFiles, sessionFiles } from './session-files.ts';
import { type SessionRecord, sessionRecord } from './session-record.ts';
import { hasToPrepare, startNetwork } from './start-network.ts';
import { startTraces } from './start-traces.ts';
import { type NetworkWatch, watchNetwork } from './watch-network.ts';
import { type ProcessWatches, watchProcesses } from './watch-processes.ts';

/** What a session begins with. */
interface SessionStart {
  readonly order: FirstOrder;
  readonly paths: Paths;
  readonly io: OwnIo;
  readonly opened: OpenedPlan;
  readonly channel: ChannelServer;
}

/** Runs a devnet from its first process to its last, and returns the exit code. */
export async function runSession(order: FirstOrder, paths: Paths, io: OwnIo, opened: OpenedPlan): Promise<number> {
  const channel = await serveChannel(paths.clockSocket, opened.clock);
  return new Session({ order, paths, io, opened, channel }).run();
}

/** A devnet that runs. Composes its parts: each gets what it needs of the others, and any of them may finish it. */
class Session {
  readonly #start: SessionStart;
  readonly #finish = Promise.withResolvers<Finish>();
  /** Resolves when the nodes agree on a first block. */
  readonly #usable = Promise.withResolvers<void>();
  /** Resolves when the processes that start late are ready or failed. */
  readonly #late = Promise.withResolvers<void>();
  /** Aborted when the network ends. */
  readonly #starting = new AbortController();
  /** Resolves with the answer to the request that ends the devnet. */
  readonly #ended = Promise.withResolvers<EndAnswer>();
  /** Rejects with the failure that ends the network: the answer to each change under way. */
  readonly #failed = Promise.withResolvers<never>();
  readonly #env: Readonly<Record<string, string>>;
  readonly #session: SessionRecord;
  readonly #files: SessionFiles;
  readonly #runtime: Runtime;
  readonly #network: Network;
  readonly #watches: ProcessWatches;
  readonly #time: TimeControl;
  readonly #l1: L1Control;
  /** Changes of the network take turns. */
  readonly #runExclusive = createMutex();
  readonly #control: Promise<ControlSocket>;
  readonly #links = new Links();
  readonly #faults: Faults;
  readonly #traces: ReturnType<typeof startTraces>;
  /** The plan in force. */
  #plan: Plan;
  #watch: NetworkWatch | undefined;
  /** Aborted when the nodes are other ones: what makes blocks for transactions follows the present sequencers. */
  #following = new AbortController();
  #page: Promise<void> | undefined;

  constructor(start: SessionStart) {
    const { order, paths, io, opened, channel } = start;
    this.#start = start;
    this.#plan = opened.plan;
    this.#failed.promise.catch(() => undefined);
    this.#env = { ...inheritedEnvironment(io.env), ...stampOf(paths) };
    this.#session = sessionRecord(paths, io, channel.clock);
    const { record } = this.#session;
    if (opened.isPaused)
      record.emit({ event: 'notice', text: 'the clock stands, as before the stop; `devnet resume` lets it go on' });
    io.guard.remove(paths.control, paths.clockSocket);
    this.#files = sessionFiles(order, this.#plan, paths, io);
    const { self, guard } = io;
    this.#runtime = runtimesOf(() => this.#plan, { paths, self, env: io.env, inherited: this.#env, guard });
    this.#network = this.#createNetwork();
    record.follow(this.#network.tasks);
    io.guard.onOrphans((all) => record.orphans(all));
    const { logBytes } = this.#plan;
    this.#watches = watchProcesses(paths, { network: this.#network, record, logBytes }, this.#finish.resolve);
    this.#faults = new Faults({
      pool: (faults) => this.#l1.pool.follow(faults),
      ...{ links: this.#links, plan: () => this.#plan, clock: () => channel.clock.state() },
      ...{ emit: this.#session.events.emit, keep: (document) => record.faults(document) },
    });
    channel.clock.onPush(() => this.#faults.refresh());
    channel.l1.onPoolFault((match) => this.#faults.meet(match));
    this.#time = this.#createTime();
    this.#l1 = this.#createL1();
    this.#control = this.#serveControl();
    this.#traces = startTraces(this.#plan, io.env, channel.traces, record);
  }

  /** Starts the network, and resolves with the exit code when it has ended. */
  async run(): Promise<number> {
    const { order, io, channel, paths } = this.#start;
    const { record, tell } = this.#session;
    onEnd({ order, io, record }, this.#finish.resolve);
    void this.#startNetwork();
    const finish = await this.#finish.promise;
    const { removal, logs } = this.#watches;
    removal.close();
    if (finish.failure !== undefined) this.#failed.reject(new TaskFailure(finish.failure));
    this.#faults.close();
    this.#starting.abort(new Error('the network ends'));
    const end = await endSession(finish, {
      ...{ io, paths, network: this.#network, record, runtime: this.#runtime, logs, channel },
      files: this.#files.files,
      links: this.#links,
      others: Promise.all([this.#page, this.#control.catch(() => undefined)]),
    });
    await this.#traces?.close();
    this.#ended.resolve({ killed: end.killed, errors: end.errors });
    tell(end);
    // The answer to the request that ended the devnet goes out before the socket closes.
    await new Promise((resolve) => setImmediate(resolve));
    await (await this.#control.catch(() => undefined))?.close();
    return end.code;
  }

  #createNetwork(): Network {
    const { record } = this.#session;
    const runtime = this.#runtime;
    return new Network(
      this.#plan,
      {
        files: (task) => this.#files.files?.forTask(task) ?? Promise.resolve(),
        secretFiles: secretFiles(this.#plan.files),
        runtime,
        emit: record.emit,
        set: (live, phase, detail) => record.set(live, phase, detail),
        learn: (live) => void this.#usable.promise.then(() => live.learnVersion(runtime)),
      },
      ({ report }) => this.#finish.resolve({ how: 'failed', code: EXIT.failed, failure: report }),
    );
  }

  #createTime(): TimeControl {
    const { paths, opened, channel, order } = this.#start;
    const { record } = this.#session;
    return new TimeControl({
      plan: () => this.#plan,
      tasks: this.#network.tasks,
      severed: (task) => this.#faults.severed(task),
      channel,
      emit: record.emit,
      isPaused: opened.isPaused,
      patience: order.options.patience ?? 1,
      keep(state, isPaused) {
        writeClock(paths, state, isPaused);
        record.write();
      },
      late: this.#late.promise,
      signal: this.#starting.signal,
    });
  }

  #createL1(): L1Control {
    return new L1Control({
      channel: this.#start.channel.l1,
      tasks: this.#network.tasks,
      now: () => this.#time.read().at,
      isReady: () => this.#session.record.wasReady,
      runExclusive: this.#runExclusive,
    });
  }

  async #serveControl(): Promise<ControlSocket> {
    const { paths, io, channel } = this.#start;
    const { record, events, serve } = this.#session;
    const [network, time, { signal }] = [this.#network, this.#time, this.#starting];
    const changes = changesOf({
      ...{ paths, io, network, record, time, channel, signal, plan: () => this.#plan },
      runExclusive: this.#runExclusive,
      onPlan: async (next) => {
        this.#plan = next;
        await this.#links.follow(next);
        this.#faults.refresh();
      },
      onRestore: (isUnderWay) => this.#watch?.returning(isUnderWay),
      onNodes: () => this.#onNodes(),
    });
    const handlers = requestHandlers({
      ...{ ...changes, record, time, l1: this.#l1, faults: this.#faults, plan: () => this.#plan },
      ...{ kill: io.kill, finish: this.#finish.resolve },
      ...{ failed: this.#failed.promise, ended: this.#ended.promise },
    });
    const control = await serveControl(paths.control, handlers, {
      present: events.present,
      marks: (listener) => channel.traces.follow(listener),
    });
    serve(control);
    return control;
  }

  #startNetwork(): Promise<void> {
    const { order, io, paths } = this.#start;
    const { files, spec } = this.#files;
    return startNetwork({
      ...{ order, io, paths, plan: this.#plan, network: this.#network, record: this.#session.record },
      ...{ time: this.#time, files, starting: this.#starting, end: this.#finish.resolve },
      served: () => Promise.all([this.#control, spec]),
      linked: () => this.#links.follow(this.#plan),
      onUsable: () => this.#onUsable(),
      onReady: () => this.#onReady(),
    });
  }

  #onUsable(): void {
    const { order, paths } = this.#start;
    const { record, events } = this.#session;
    const [network, time, { signal }] = [this.#network, this.#time, this.#starting];
    this.#usable.resolve();
    void this.#goOnSequencing();
    this.#followTransactions();
    void network.startLate(hasToPrepare(order), signal).finally(() => this.#late.resolve());
    this.#watch = watchNetwork({
      ...{ paths, plan: () => this.#plan, network, record, events, time, signal },
      l1: this.#l1,
      faults: this.#faults,
    });
  }

  /** Has a sequencer go on that a move of its role had stopped when the devnet ended. */
  async #goOnSequencing(): Promise<void> {
    const { paths } = this.#start;
    const node = stoppedSequencer(paths, this.#plan);
    if (node === undefined) return;
    await startSequencing(node, this.#starting.signal).catch(() => undefined);
    if (!this.#starting.signal.aborted) dropStopped(paths);
  }

  #onNodes(): void {
    this.#watch?.renew();
    this.#following.abort();
    this.#following = new AbortController();
    this.#followTransactions();
  }

  #followTransactions(): void {
    if (this.#plan.time.clock !== 'instant') return;
    const time = this.#time;
    const signal = AbortSignal.any([this.#starting.signal, this.#following.signal]);
    // Its WebSocket client takes 10 ms to load, in a process that the whole start waits for.
    void import('../clock/instant.ts').then(({ followTransactions }) =>
      followTransactions(
        this.#plan,
        { now: () => time.read().at, advance: (blockTime) => time.advance(blockTime) },
        signal,
      ),
    );
  }

  #onReady(): void {
    const { paths, io } = this.#start;
    const { record } = this.#session;
    if (this.#plan.dashboard === undefined) return;
    const { mark } = tracesOf(paths);
    this.#page = runDashboard(this.#plan.dashboard, {
      ...{ env: this.#env, mark, guard: io.guard, signal: this.#starting.signal },
      ...{ emit: record.emit, ended: (how) => record.dashboardEnded(how) },
    });
  }
}

/** Ends a session at a fault of this program, and when its user interrupts it. */
function onEnd(
  { order, io, record }: { readonly order: FirstOrder; readonly io: OwnIo; readonly record: StateRecord },
  end: (finish: Finish) => void,
): void {
  const fault = (error: unknown) => end({ how: 'failed', code: EXIT.failed, failure: faultReport(error) });
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);
  void untilAborted(io.interrupt).then(() =>
    // An interrupted start leaves nothing behind. A stopped devnet that was resuming keeps its chain.
    end({ how: record.wasReady || order.kind === 'up' ? 'down' : 'keep', code: EXIT.interrupted }),
  );
}
