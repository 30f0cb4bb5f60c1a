import { join } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { makeFolders } from '../../system/files/folder.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Running } from '../../system/program/program.ts';
import { hostNamesOf, L1_UNIT } from '../export/host-names.ts';
import { loadNetwork } from '../export/network-folder.ts';
import { tasksOfUnit } from '../export/unit.ts';
import { beaconUrlOf, planUnits } from '../export/unit-plan.ts';
import { commandNow, writeFiles } from '../folder/files.ts';
import { packageRender } from '../folder/render.ts';
import type { LoadedSpec } from '../load/loaded-spec.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { sendFirstBlock } from '../processes/first-block.ts';
import { genesisTimeOfBeacon, genesisTimeOfVolume } from './genesis-time.ts';
import type { EntryValues } from './options.ts';
import { prepareTask, startTasks } from './processes.ts';
import { untilNeedsReady, writeHealth } from './ready.ts';
import { claimVolume } from './volume.ts';

type UnitValues = EntryValues & { readonly unit: string };
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Plans a unit, writes the files that its processes read, and waits for what they need. Returns its tasks.
 * @throws Failure `unit` if the unit is unknown, or its volume is another network's
 */
async function prepareUnit(
  values: UnitValues,
  env: Environment,
  log: Logger,
  signal: AbortSignal,
): Promise<readonly Task[]> {
  const { unit, data } = values;
  const io = { cwd: data, env };
  makeFolders(data);
  const loaded = await loadNetwork(io, values);
  const hostNames = hostNamesOf(loaded.spec);
  if (!Object.values(hostNames).includes(unit)) throw unknownUnit(unit, Object.values(hostNames));
  const genesisTime = await genesisTimeFor(values, loaded, signal, log);
  claimVolume(join(data, 'volume.json'), { devnet: loaded.spec.name, unit, genesisTime });
  const plan = planUnits(io, await loadNetwork(io, values, genesisTime), data, genesisTime);
  const tasks = tasksOfUnit(plan, hostNames, unit);
  await writeUnitFiles(plan, tasks);
  for (const { command } of tasks) makeFolders(command.cwd);
  writeHealth(data, tasks);
  log.info('unit is planned', { unit, genesisTime, tasks: tasks.map(({ id }) => id).join(' ') });
  if (unit !== L1_UNIT) await untilNeedsReady(plan, tasks, hostNames, signal, log);
  // An engine that ends a unit while it waits starts no process.
  signal.throwIfAborted();
  return tasks;
}

/** Prepares a unit whose client has an image of its own, and ends. Its engine starts the client after that. */
export function writeUnit(values: UnitValues, env: Environment, log: Logger): Running {
  const stopping = new AbortController();
  const done = prepareUnit(values, env, log, stopping.signal).then(() => undefined);
  done.catch(() => undefined);
  return {
    done,
    failed: new Promise<never>(() => undefined),
    async stop() {
      stopping.abort(new Error('the unit ends'));
      await done.catch(() => undefined);
    },
  };
}

/**
 * Starts a unit of an exported network. It does what a supervisor does on one machine: plans, writes the files that
 * its processes read, waits for what they need, starts them, or resumes them from their data.
 * Ends and restarts are the engine's.
 * @throws Failure `unit` if the unit is unknown, or its volume is another network's
 */
export function startUnit(values: UnitValues, env: Environment, log: Logger): Running {
  const stopping = new AbortController();
  const start = async () => {
    const tasks = await prepareUnit(values, env, log, stopping.signal);
    for (const task of tasks) await prepareTask(task, env);
    return { tasks, processes: startTasks(tasks, env) };
  };
  const started = start();
  const failed = started.then(async ({ tasks, processes }) => {
    void sendFirstBlocks(tasks, stopping.signal);
    return await processes.failed;
  });
  failed.catch(() => undefined);
  return {
    failed,
    async stop() {
      stopping.abort(new Error('the unit ends'));
      await started.then(
        ({ processes }) => processes.stop(),
        () => undefined,
      );
    },
  };
}

function unknownUnit(unit: string, all: readonly string[]): Failure {
  return new Failure('unit', `the network has no unit ${JSON.stringify(unit)}`, {
    exit: EXIT.usage,
    hint: `expected one of ${[...new Set(all)].join(', ')}`,
  });
}

async function genesisTimeFor(
  { unit, data }: UnitValues,
  loaded: LoadedSpec,
  signal: AbortSignal,
  log: Logger,
): Promise<number> {
  if (unit === L1_UNIT) return genesisTimeOfVolume(join(data, 'genesis-time'), loaded.spec, Date.now() / 1000);
  return await genesisTimeOfBeacon(beaconUrlOf(loaded), signal, log);
}

/** Writes the planned files that the commands of tasks read. */
async function writeUnitFiles(plan: Plan, tasks: readonly Task[]): Promise<void> {
  const paths = new Set(tasks.flatMap((task) => commandNow(task).reads));
  await writeFiles(
    plan.files.filter(({ path }) => paths.has(path)),
    plan,
    packageRender(),
  );
}

/** Sends the first block to rollup nodes that no peer sends blocks to, as their clients need it. */
async function sendFirstBlocks(tasks: readonly Task[], signal: AbortSignal): Promise<void> {
  await Promise.all(tasks.map(({ firstBlock }) => firstBlock && sendFirstBlock(firstBlock, signal, () => undefined)));
}
