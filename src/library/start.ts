import { type AttachSource, findNetwork } from '../orchestrator/attach/attach.ts';
import { devnetAt, isUp, phaseOf, selectDevnet } from '../orchestrator/devnet/select.ts';
import type { TellingIo } from '../orchestrator/devnet/told-commands.ts';
import { homeOf } from '../orchestrator/folder/home.ts';
import type { FoundSpec } from '../orchestrator/load/find-spec.ts';
import { bringUp, type Up } from '../orchestrator/start/bring-up.ts';
import { clearAway } from '../orchestrator/start/end-devnet.ts';
import { freshName } from '../orchestrator/start/fresh-name.ts';
import { budgetsOf } from '../orchestrator/start/ready-budget.ts';
import type { Session } from '../orchestrator/start/session-client.ts';
import { startProblem } from '../orchestrator/start/start-problem.ts';
import { pathsOf } from '../orchestrator/state/paths.ts';
import { devnetOf } from './network/devnet.ts';
import type { Devnet } from './network/devnet-types.ts';
import { DevnetError, NameTakenError, StartError, translateErrors } from './network/errors.ts';
import { type HostOptions, hostIo } from './network/host.ts';

/** A spec as its file would hold it. Every key has a default. `devnet schema` prints what is allowed. */
export interface SpecDocument {
  readonly version?: 1;
  readonly name?: string;
  readonly [key: string]: unknown;
}

/** Milliseconds until the stamps of a start. */
export interface StartBudgets {
  /** Every process is started. */
  readonly spawned?: number;
  /** Every endpoint answers as itself. */
  readonly answering?: number;
  /** Every node has the first block, with one hash. */
  readonly agreed?: number;
  /** Every node has a safe block. */
  readonly safe?: number;
}

/** What to start, and how. */
export interface StartOptions extends HostOptions {
  /** A path, a sample's name, or the document itself. Default: devnet.yaml in the current folder, else `default`. */
  readonly spec?: string | SpecDocument;
  /** Changes of the spec, each as `chains.main.blockTime=1`. */
  readonly set?: readonly string[];
  /** The devnet's name. Default: the spec's, with six random characters, so that starts never collide. */
  readonly name?: string;
  /** preferred: the next free port when one is taken. auto: any free ports. Default: the spec's. */
  readonly ports?: 'preferred' | 'fixed' | 'auto';
  /** How the network's clock moves. Default: the spec's. */
  readonly clock?: 'wall' | 'instant' | 'stepped';
  /** A snapshot to begin with: its name, or a file. `spec` may be left out; it must be the same otherwise. */
  readonly from?: string;
  /**
   * Milliseconds within which the network must be ready. Default: 60,000 times `DEVNET_TIMEOUT_FACTOR`, or the longest
   * of `budgets`.
   */
  readonly budget?: number;
  /**
   * Milliseconds until single stamps, counted from the call: `{ answering: 1000, safe: 10_000 }`. With `safe` the start
   * waits for the first safe block. The error of a late one names the slowest process.
   */
  readonly budgets?: StartBudgets;
  /**
   * File for the times of the start: when each stamp came and each process was ready, as JSON. It is written for a
   * start that fails, too. The start waits for the first safe block, unless the clock is stepped.
   */
  readonly report?: string;
  /** Milliseconds after which it ends by itself. Default: never, while this process lives. */
  readonly ttl?: number;
  /** Ends the start. Nothing of it is left. A network that is ready is not affected. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a network and waits until it is ready. It ends with its handle (`await using`, or `down()`), and with this
 * process, however that ends.
 * @throws SpecError if the spec is wrong, SnapshotError if `from` cannot be used, NameTakenError if the name
 * is in use, PrerequisiteError if a port or program is missing, StartError if a process does not become ready,
 * the signal's reason if it is aborted
 */
export async function startDevnet(options: StartOptions = {}): Promise<Devnet> {
  const { signal } = options;
  signal?.throwIfAborted();
  const io = await hostIo(options);
  const name = options.name ?? freshName(options.spec);
  const up = await translateErrors(io, () =>
    bringUp(io, {
      source: {
        input: {
          spec: specOf(options.spec, name),
          set: [...setsOf(options), `name=${JSON.stringify(name)}`],
          manual: [],
        },
        from: options.from,
        settle: async ({ spec }) => mustBeFree(io, spec.name),
      },
      ...budgetsOf(io, options),
      report: options.report,
      ...(options.ttl === undefined ? {} : { ttlMs: options.ttl }),
      followInput: false,
      followSignals: false,
      quiet: options.log === undefined,
      ...(signal && { signal }),
    }),
  );
  if (up.kind === 'no') throw await startError(io, name, up, signal);
  if (signal?.aborted) {
    await endSession(name, up.session);
    throw signal.reason;
  }
  const { session } = up;
  session.unref();
  return devnetOf(io, name, { session: () => endSession(name, session), onDispose: true });
}

/**
 * The engine that runs an exported network: a namespace of the kubeconfig's cluster, or a Docker context.
 * `joins`: path of a file whose nodes join it.
 */
export type AttachPlace = ({ readonly kube: string } | { readonly context: string }) & { readonly joins?: string };

/** Which network to attach, and how. */
export interface AttachOptions extends HostOptions {
  /** The name by which commands find it. Default: its own. */
  readonly name?: string;
  /** Milliseconds within which all of it must answer and agree. Default: 60,000 times `DEVNET_TIMEOUT_FACTOR`. */
  readonly budget?: number;
}

/**
 * Attaches a network that runs elsewhere (`devnet attach`). A file names its addresses, `kube` the namespace and
 * `context` the Docker context of an export. Its processes are watched as those of a started one, and none is ended
 * when the handle is disposed of.
 * @throws UsageError if the file is wrong, the name is taken or there is no network, DevnetError if an address does not
 * answer or serves another chain, StartError if the nodes do not agree in time
 */
export async function attach(network: string | AttachPlace, options: AttachOptions = {}): Promise<Devnet> {
  const io = await hostIo(options);
  const source: AttachSource = typeof network === 'string' ? { file: network } : network;
  const attachment = await translateErrors(io, () => findNetwork(io, source, options.name));
  const { name } = attachment;
  const up = await translateErrors(io, () =>
    bringUp(io, {
      source: { attached: attachment.plan },
      ...budgetsOf(io, options),
      followInput: false,
      followSignals: false,
      quiet: options.log === undefined,
    }),
  );
  if (up.kind === 'no') throw await startError(io, name, up, undefined);
  const { session } = up;
  session.unref();
  return devnetOf(io, name, { session: () => endSession(name, session), onDispose: true });
}

/** Which network to connect to. */
export interface ConnectOptions extends HostOptions {
  /** The devnet's name. Default: `$DEVNET_NAME`, else that of `./devnet.yaml`, else the only one that is up. */
  readonly name?: string;
}

/**
 * Connects to a network that `devnet up -d` or another process started. Disposing of the handle leaves it running.
 * @throws UsageError if no devnet has this name, or several are up and none is named
 */
export async function connect(options: ConnectOptions = {}): Promise<Devnet> {
  const io = await hostIo(options);
  return translateErrors(io, () => devnetOf(io, selectDevnet(io, options.name).paths.name, { onDispose: false }));
}

/** Returns the spec of a start as a command would have it. */
export function specOf(spec: StartOptions['spec'], name: string): string | FoundSpec | undefined {
  if (typeof spec !== 'object') return spec;
  return { source: { name: 'spec', text: JSON.stringify(spec, null, 2) }, name };
}

/** Returns the changes of a spec as a command line would have them. */
export function setsOf({ set = [], ports, clock }: StartOptions): readonly string[] {
  return [
    ...set,
    ...(ports === undefined ? [] : [`ports=${ports}`]),
    ...(clock === undefined ? [] : [`time.clock=${clock}`]),
  ];
}

/** @throws NameTakenError if a devnet of this name is up, or stopped */
function mustBeFree(io: TellingIo, name: string): undefined {
  const devnet = devnetAt(pathsOf(homeOf(io), name));
  const isStopped = devnet.file.kind === 'state' && phaseOf(devnet) === 'stopped';
  if (isUp(devnet))
    throw new NameTakenError('taken', `${name} is already up (supervisor ${devnet.owner?.pid})`, {
      hint: 'give no name for one of its own, or connect({ name }) to use it',
    });
  if (isStopped)
    throw new NameTakenError('taken', `${name} is stopped; a new network would replace its chain`, {
      hint: io.runnable(`run \`devnet down ${name}\` to remove it, or \`devnet start ${name}\` and connect({ name })`),
    });
}

/** Returns the error of a start that failed. After an abort nothing is kept. */
async function startError(
  io: TellingIo,
  name: string,
  { attached }: Extract<Up, { kind: 'no' }>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const paths = pathsOf(homeOf(io), name);
  if (signal?.aborted) {
    await clearAway(io, paths, 'down');
    return signal.reason;
  }
  if (attached?.kind === 'taken')
    return new NameTakenError('taken', `${name} was started by another process (supervisor ${attached.pid})`);
  const { message, report, folder } = startProblem(name, attached);
  const hint = report?.hint === undefined ? undefined : io.runnable(report.hint);
  return new StartError(io.runnable(message), report, folder, hint);
}

/** Tears down a network that this process started. @throws DevnetError if not everything ended */
async function endSession(name: string, session: Session): Promise<void> {
  session.interrupt();
  const outcome = await session.ended;
  const errors = outcome.kind === 'ended' ? (outcome.end?.errors ?? []) : [];
  if (errors.length > 0) throw new DevnetError('down', `not everything of ${name} ended: ${errors.join('; ')}`);
}
