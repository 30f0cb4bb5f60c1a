import { EXIT } from '../../system/failure.ts';
import type { PipedProcess } from '../../system/process/piped.ts';
import { startSupervisor } from '../control/start-supervisor.ts';
import type { Order } from '../control/supervisor-protocol.ts';
import { homeOf } from '../folder/home.ts';
import { loadSpec } from '../load/load-spec.ts';
import type { LoadedSpec, SpecInput } from '../load/loaded-spec.ts';
import { planInputs } from '../load/plan-inputs.ts';
import { contentOf } from '../load/planned-content.ts';
import type { PlanInputs } from '../plan/inputs.ts';
import { listedTasks } from '../plan/order.ts';
import type { FileContent, Plan } from '../plan/plan.ts';
import { portRequests } from '../plan/ports.ts';
import { planNetwork } from '../plan/tasks/network.ts';
import { findHiddenPlace } from '../ports/hidden-place.ts';
import { releasePorts } from '../ports/reservations.ts';
import type { StampBudgets } from '../processes/deadlines.ts';
import { usesContainers } from '../runtimes/docker/containers.ts';
import type { Beginning } from '../snapshots/from.ts';
import { keptText } from '../spec/resolve/pin.ts';
import type { Event } from '../state/events.ts';
import { pathsOf } from '../state/paths.ts';
import { fitToTerminal } from '../terminal/fit.ts';
import type { Io } from '../terminal/io.ts';
import { type Progress, plainProgress, terminalProgress } from '../terminal/progress.ts';
import { afterCommands } from './after-commands.ts';
import { banner } from './banner.ts';
import { timeoutFactor } from './ready-budget.ts';
import { sayEnd, sayInterrupted } from './say-end.ts';
import { type Attached, Session } from './session-client.ts';
import { startReport } from './start-report.ts';
import { type Planned, withPorts } from './with-ports.ts';

/** Number of times that a network is planned again because a reserved port was taken. */
const MAX_REPLANS = 3;

/** Where the plan of a network comes from. */
export type PlanSource =
  | {
      readonly input: SpecInput;
      /** Settles the command if a devnet of the name exists, and returns its exit code. Undefined: start a new one. */
      readonly settle: (loaded: LoadedSpec) => Promise<number | undefined>;
      /** Begins with a snapshot: its name or file. */
      readonly from?: string | undefined;
    }
  /** A network that runs already, and has no spec. Planned for the supervisor of this process id. */
  | { readonly attached: (supervisor: number) => Promise<Planned> };

export interface BringUp {
  readonly source: PlanSource;
  readonly budgetMs: number;
  /** Times (ms) until single stamps. One of `safe` waits for it. */
  readonly stampBudgets?: StampBudgets;
  /** File for the times of the start. It waits for the first safe block, unless the clock is stepped. */
  readonly report?: string | undefined;
  readonly ttlMs?: number;
  /** Tears the network down when standard input ends, as at the closing of a terminal. */
  readonly followInput: boolean;
  /** Whether SIGINT, SIGTERM and SIGHUP of this process tear it down. */
  readonly followSignals: boolean;
  readonly quiet: boolean;
  /** Ends the start. The network is torn down. */
  readonly signal?: AbortSignal;
}

/** A network that is up, and the session with its supervisor. */
export type Up =
  | {
      readonly kind: 'up';
      readonly plan: Plan;
      readonly session: Session;
      /** Lets a view of the running network take the place of the task list. Absent: events are lines. */
      readonly handOver: ((next: Progress) => void) | undefined;
    }
  /** `attached`: how its supervisor ended; absent if it got no order. */
  | { readonly kind: 'no'; readonly code: number; readonly attached?: Attached };

/** Plans a network and starts it. Plans again if a port was taken in between. Failures are written to stderr. */
export async function bringUp(io: Io, options: BringUp): Promise<Up> {
  const began = Date.now();
  for (let attempt = 0; ; attempt++) {
    // It boots while the spec is read and the network is planned.
    const supervisor = startSupervisor(io.env, io.cwd);
    const order = await prepareOrder(io, options, supervisor, attempt === 0);
    if ('code' in order) {
      await endUnused(supervisor);
      return { kind: 'no', code: order.code };
    }
    const { plan } = order;
    if (usesContainers(plan)) await unlessFailed(supervisor, () => prepareImages(io, plan));
    for (const notice of plan.notices) io.stderr(fitToTerminal(io, `${notice}\n`, 'stderr'));
    const { session, attached, handOver } = await startNetwork(io, options, supervisor, order, began);
    io.about?.(plan.devnet);
    if (attached.kind === 'ready') {
      if (!options.quiet) io.stderr(fitToTerminal(io, banner(plan, (Date.now() - began) / 1000), 'stderr'));
      return { kind: 'up', plan, session, handOver };
    }
    releasePorts(homeOf(io), { name: plan.devnet, supervisor: supervisor.pid });
    const ports = attached.kind === 'ended' ? (attached.failure?.takenPorts ?? []) : [];
    const isInterrupted = session.interrupted() !== undefined || options.signal?.aborted === true;
    if (ports.length > 0 && !order.fixed && attempt < MAX_REPLANS && !isInterrupted) {
      io.stderr(`port ${ports.join(', ')} was taken by another process: planning again\n`);
      continue;
    }
    const code = await sayEnd(io, attached, plan.devnet);
    if (code === EXIT.done) io.stderr(`${plan.devnet} was ended by another command before it was ready\n`);
    return { kind: 'no', code: code === EXIT.done ? EXIT.failed : code, attached };
  }
}

/** A plan with what the supervisor's order needs beside it. */
interface PreparedOrder extends Planned {
  readonly beginning: Beginning | undefined;
  readonly after: ReturnType<typeof afterCommands>;
}

/** Loads the spec and plans. Returns an exit code if the first attempt settles the command without a start. */
async function prepareOrder(
  io: Io,
  options: BringUp,
  supervisor: PipedProcess,
  isFirst: boolean,
): Promise<PreparedOrder | { readonly code: number }> {
  const { source, signal } = options;
  if ('attached' in source) {
    const network = await unlessFailed(supervisor, () => source.attached(supervisor.pid));
    return { ...network, beginning: undefined, after: [] };
  }
  let beginning: Beginning | undefined;
  const order = await unlessFailed(supervisor, async () => {
    beginning = await beginningOf(io, source);
    const loaded = beginning?.loaded ?? (await loadSpec(io, source.input));
    const code = isFirst ? await source.settle(loaded) : undefined;
    signal?.throwIfAborted();
    if (code !== undefined) return { code };
    const network = await planSpec(io, loaded, supervisor.pid, beginning?.portals);
    beginning?.mustFit(network.plan);
    // A snapshot holds the effects of these commands.
    const after = beginning === undefined ? afterCommands(io, loaded.spec, network.plan) : [];
    return { ...network, beginning, after };
  }).catch((error: unknown) => {
    beginning?.release();
    throw error;
  });
  if ('code' in order) beginning?.release();
  return order;
}

/** Reserves ports and plans. `portals`: of a snapshot's L1, see `PlanInputs`. @throws Failure, without any port then */
async function planSpec(
  io: Io,
  loaded: LoadedSpec,
  supervisor: number,
  portals: PlanInputs['portals'],
): Promise<Planned> {
  const { spec, clients, document } = loaded;
  const place = await findHiddenPlace(homeOf(io), spec);
  return await withPorts(io, spec.name, portRequests(spec, clients, place), supervisor, (ports) => {
    const now = Date.now() / 1000;
    const inputs = planInputs(io, loaded, homeOf(io), { hiddenHost: place.host, ports, portals }, now);
    const plan = planNetwork(spec, clients, inputs);
    return {
      plan,
      spec: () => keptText(document, { genesisTime: plan.genesisTime, now }),
      fixed: spec.ports === 'fixed',
    };
  });
}

/** A session whose start is over. */
interface Start {
  readonly session: Session;
  readonly attached: Attached;
  readonly handOver: Extract<Up, { kind: 'up' }>['handOver'];
}

/** Gives the supervisor its order, shows the progress, and waits for the end of the start. */
async function startNetwork(
  io: Io,
  options: BringUp,
  supervisor: PipedProcess,
  order: PreparedOrder,
  began: number,
): Promise<Start> {
  const { plan, rendered, beginning, after } = order;
  const first = listedTasks(plan)
    .filter(({ late }) => late !== true)
    .map(({ id }) => id);
  const list = io.isTty && !options.quiet ? terminalProgress(io, first) : undefined;
  const progress: Progress = list ?? plainProgress(options.quiet ? { ...io, stderr: () => undefined } : io);
  const report = options.report === undefined ? undefined : startReport(began);
  const session = new Session(supervisor, {
    tell(event: Event) {
      report?.tell(event);
      progress.tell(event);
    },
    interrupted: (times, signal) => {
      void progress.stop();
      io.stderr(sayInterrupted(times, signal));
    },
    followInput: options.followInput,
    followSignals: options.followSignals,
  });
  supervisor.send({
    kind: 'up',
    home: homeOf(io),
    plan,
    rendered,
    ...(beginning && { from: beginning.from }),
    after,
    options: { ...startOptions(options, plan, began), patience: timeoutFactor(io.env) },
  } satisfies Order);
  sendTexts(session, order, homeOf(io));
  const attached = await untilStarted(session, options.signal).finally(() => beginning?.release());
  await progress.stop();
  if (options.report !== undefined)
    report?.write(io, options.report, {
      ...{ name: plan.devnet, ready: attached.kind === 'ready', budgetMs: options.budgetMs },
      stampBudgets: options.stampBudgets ?? {},
      failure: attached.kind === 'ended' ? attached.failure : undefined,
    });
  return { session, attached, handOver: list?.handOver };
}

/** Sends large texts after the order: without them the supervisor would have to load the renderers. */
function sendTexts(session: Session, { plan, spec, rendered }: PreparedOrder, home: string): void {
  session.text(pathsOf(home, plan.devnet).spec, spec());
  for (const { path, content } of plan.files) if (rendered[path] === 'follows') session.text(path, textOf(content));
}

/** Waits for the end of a start, which `signal` interrupts. */
async function untilStarted(session: Session, signal: AbortSignal | undefined): Promise<Attached> {
  const abort = () => session.interrupt();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return session.started.finally(() => signal?.removeEventListener('abort', abort));
}

/** Returns the times of a start for its supervisor. @throws Failure (exit 2) */
function startOptions({ budgetMs, stampBudgets = {}, ttlMs, report }: BringUp, plan: Plan, began: number) {
  // Blocks come only by warps.
  const isStepped = plan.time.clock === 'stepped';
  return {
    budgetMs,
    stamps: { began, ms: stampBudgets },
    untilSafe: stampBudgets.safe !== undefined || (report !== undefined && !isStepped),
    ...(ttlMs === undefined ? {} : { ttlMs }),
  };
}

/** Unpacks the snapshot that a network begins with. Its code is loaded only then. */
async function beginningOf(
  io: Io,
  { from, input }: Extract<PlanSource, { input: SpecInput }>,
): Promise<Beginning | undefined> {
  if (from === undefined) return undefined;
  const { beginFrom } = await import('../snapshots/from.ts');
  return beginFrom(io, from, input);
}

/** Does what comes before a supervisor's order, and ends the supervisor if that fails. */
async function unlessFailed<T>(supervisor: PipedProcess, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await endUnused(supervisor);
    throw error;
  }
}

/** Sees to the images of a plan. Releases its ports if that fails. */
async function prepareImages(io: Io, plan: Plan): Promise<void> {
  const { ensureImages } = await import('./images.ts');
  try {
    await ensureImages(io, plan);
  } catch (error) {
    releasePorts(homeOf(io), { name: plan.devnet });
    throw error;
  }
}

/** Ends a supervisor that got no order. It ends its guard first. */
async function endUnused(supervisor: PipedProcess): Promise<void> {
  supervisor.endInput();
  await supervisor.exited;
}

/** Renders a large file; undefined if that fails. The supervisor then renders it again and reports the failure. */
function textOf(content: FileContent): string | undefined {
  try {
    return contentOf(content);
  } catch {
    return undefined;
  }
}
