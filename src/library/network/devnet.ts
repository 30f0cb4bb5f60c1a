import { moveForks } from '../../orchestrator/change/move-forks.ts';
import { endWarp, setClock, warp } from '../../orchestrator/change/warp.ts';
import { checkDevnet } from '../../orchestrator/devnet/check-devnet.ts';
import { type WhileUp, whileUp } from '../../orchestrator/devnet/network-end.ts';
import { devnetAt, type Devnet as Found, isUp, mustBeUp, phaseOf, viewOf } from '../../orchestrator/devnet/select.ts';
import { chainOf } from '../../orchestrator/devnet/select-chain.ts';
import { statusOf } from '../../orchestrator/devnet/status-of.ts';
import { environmentOf } from '../../orchestrator/environment/environment.ts';
import { readPlan } from '../../orchestrator/folder/devnet-folder.ts';
import { homeOf } from '../../orchestrator/folder/home.ts';
import { logLines } from '../../orchestrator/logs/task-logs.ts';
import { runSteps } from '../../orchestrator/scenario/perform/run-steps.ts';
import { nearest } from '../../orchestrator/spec/text/nearest.ts';
import type { Source } from '../../orchestrator/spec/text/source.ts';
import { endDevnet } from '../../orchestrator/start/end-devnet.ts';
import { pathsOf } from '../../orchestrator/state/paths.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import { CONDITION, nearestCondition, parseCondition } from '../../orchestrator/wait/condition.ts';
import { waitInDevnet } from '../../orchestrator/wait/wait-in-devnet.ts';
import { EXIT } from '../../system/failure.ts';
import type { Devnet, ScenarioDocument } from './devnet-types.ts';
import { DevnetError, TimeoutError, translate, translateErrors, UsageError } from './errors.ts';
import { eventsOf } from './events.ts';
import { faultsOf } from './faults.ts';
import { l1WeatherOf } from './l1-weather.ts';
import { l1Of, rollupOf } from './layers.ts';
import { movesOf } from './moves.ts';
import { pairsOf } from './node.ts';
import { nodesOf } from './node-set.ts';
import { mustBeSame } from './same-devnet.ts';
import { snapshotsOf } from './snapshots.ts';
import { type CallScope, UNBOUND } from './test-scope.ts';
import { trafficOf } from './traffic.ts';

/** Returns the path of a scenario, or the text of one that is a document. */
function textOf(scenario: string | ScenarioDocument): string | Source {
  return typeof scenario === 'string' ? scenario : { name: 'scenario', text: JSON.stringify(scenario, null, 2) };
}

/** How a network is left when its handle is disposed of. */
export interface Closing {
  /** Ends the session in which this process started it. Absent: another process did. */
  readonly session?: () => Promise<void>;
  /** Whether disposing tears it down. */
  readonly onDispose: boolean;
}

/** Makes the handle of a test from that of its network. */
const boundHandles = new WeakMap<Devnet, (scope: CallScope) => Devnet>();

/** Returns a handle of the same network whose calls end with a scope. Disposing of it leaves the network running. */
export function boundTo(net: Devnet, scope: CallScope): Devnet {
  return boundHandles.get(net)?.(scope) ?? net;
}

/** Makes the handle of a network that runs. */
export function devnetOf(io: Io, name: string, closing: Closing, scope = UNBOUND): Devnet {
  const paths = pathsOf(homeOf(io), name);
  const first = viewOf(devnetAt(paths)).plan;
  const devnet = () => {
    scope.mustBeOpen();
    mustBeSame(paths, first);
    return devnetAt(paths);
  };
  const plan = () => viewOf(devnet()).plan;
  const running = () => {
    const current = devnet();
    mustBeUp(current);
    return current;
  };
  const whileRunning = whileUp(running);
  const untilEnd: WhileUp = (work) => scope.run((over) => whileRunning((end) => work(AbortSignal.any([end, over]))));
  const inScope = <T>(work: (over: AbortSignal) => Promise<T>) => translateErrors(io, () => scope.run(work));
  const traffic = trafficOf(io, running, untilEnd);
  const down = () => translateErrors(io, () => endNetwork(io, devnet, closing));
  const handle: Devnet = {
    name,
    folder: paths.folder,
    env: environmentOf(first),
    // Asked after the scope's end, when the handle refuses further calls.
    l1: l1Of(first, { scope, endWarp: async () => endWarp(devnetAt(paths)) }, l1WeatherOf(running, inScope)),
    chains: first.network.chains.map((chain) => chain.name),
    chain(chainName) {
      try {
        const latest = readPlan(paths) ?? first;
        const view = chainOf(latest, chainName);
        return rollupOf(latest, view, movesOf(io, handle, running, view));
      } catch (error) {
        throw translate(io, error);
      }
    },
    ...nodesOf(io, { devnet, running }, inScope),
    status: () => translateErrors(io, () => statusOf(devnet())),
    check: ({ explain = false } = {}) => translateErrors(io, async () => (await checkDevnet(devnet(), explain)).result),
    async waitFor(text, { node, timeout: timeoutMs = 60_000 } = {}) {
      const condition = parseCondition(text);
      if (condition === undefined) {
        const near = nearestCondition(text, nearest);
        const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
        throw new UsageError('usage', `cannot wait for ${JSON.stringify(text)}: expected ${CONDITION}${hint}`);
      }
      const wait = { name, condition, node, timeoutMs };
      const waits = (signal: AbortSignal) => waitInDevnet(io, { ...wait, signal });
      const { code, description } = await inScope((over) => (isUp(devnet()) ? untilEnd(waits) : waits(over)));
      if (code === EXIT.notReady) throw new TimeoutError('late', `${text} on ${name}: ${description}`);
      if (code !== EXIT.done) throw new DevnetError('ended', `${text} on ${name}: ${description}`);
    },
    warp: (to, { past = false, chain, signal } = {}) =>
      inScope((over) =>
        warp(running(), { to, past, chain }, { signal: AbortSignal.any([over, ...(signal ? [signal] : [])]) }),
      ),
    pause: () => inScope(async () => void (await setClock(running(), 'pause'))),
    resume: () => inScope(async () => void (await setClock(running(), 'resume'))),
    fork: (times, { chain, rewind = false } = {}) =>
      inScope(async () => {
        const forks = pairsOf(times);
        return moveForks(io, running(), {
          chain: chainOf(plan(), chain).name,
          forks,
          rewind,
          rewindHint: 'pass { rewind: true }',
        });
      }),
    faults: faultsOf(running, inScope),
    ...traffic,
    ...snapshotsOf(io, running),
    watch: ({ signal } = {}) => eventsOf(io, devnet(), signal),
    run: (scenario, { seed } = {}) => inScope((over) => runSteps(io, running(), textOf(scenario), { seed, over })),
    logs: (options) => logLines(plan(), plan().tasks, options),
    down,
    [Symbol.asyncDispose]: () => (closing.onDispose ? down() : Promise.resolve()),
  };
  boundHandles.set(handle, (boundScope) => devnetOf(io, name, { ...closing, onDispose: false }, boundScope));
  return handle;
}

async function endNetwork(io: Io, devnet: () => Found, { session }: Closing): Promise<void> {
  await session?.();
  // Others may have stopped it, and started it again under another supervisor.
  const current = devnet();
  if (session === undefined || isUp(current) || isStopped(current)) await endByCommand(io, current);
}

function isStopped(devnet: Found): boolean {
  return devnet.file.kind === 'state' && phaseOf(devnet) === 'stopped';
}

/** @throws DevnetError if not everything ended */
async function endByCommand(io: Io, devnet: Found): Promise<void> {
  const { name } = devnet.paths;
  const lines: string[] = [];
  const isClean = await endDevnet({ ...io, stderr: (text) => lines.push(text) }, devnet, 'down', false);
  for (const line of lines) io.stderr(line);
  if (!isClean) throw new DevnetError('down', `not everything of ${name} ended: ${lines.join('').trim()}`);
}
