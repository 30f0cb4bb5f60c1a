import { EXIT, Failure, type FailureCode, messageOf } from '../../system/failure.ts';
import { stillRuns } from '../../system/process/identity.ts';
import { type ControlClient, connectControl } from '../control/client.ts';
import { devnetNames, readPlan } from '../folder/devnet-folder.ts';
import { homeOf } from '../folder/home.ts';
import { type LockOwner, lockOwner } from '../folder/lock.ts';
import { FOLDER_SPEC } from '../load/find-spec.ts';
import type { Plan } from '../plan/plan.ts';
import { type Paths, pathsOf } from '../state/paths.ts';
import { readState, type State, type StateFile } from '../state/state.ts';
import type { Io } from '../terminal/io.ts';
import { nameOfFolder, nameOfShell } from './given-name.ts';

/** A devnet on disk, with its supervisor if one runs. */
export interface Devnet {
  readonly paths: Paths;
  readonly file: StateFile;
  readonly owner: LockOwner | undefined;
}

/** Lists all devnets of this home, running or not. */
export function allDevnets(io: Io): Devnet[] {
  const home = homeOf(io);
  return devnetNames(home).map((name) => devnetAt(pathsOf(home, name)));
}

/** Reads one devnet from disk. */
export function devnetAt(paths: Paths): Devnet {
  const owner = lockOwner(paths.lock);
  return {
    paths,
    file: readState(paths.state),
    owner: owner?.role === 'supervisor' && stillRuns(owner) ? owner : undefined,
  };
}

/** Returns the current phase. The stored phase is out of date if the supervisor is gone. */
export function phaseOf({ file, owner }: Devnet): State['phase'] {
  if (file.kind !== 'state') return 'failed';
  return owner === undefined && file.state.phase !== 'stopped' ? 'failed' : file.state.phase;
}

/**
 * Selects the devnet of a command: the named one, else `$DEVNET_NAME`, else that of `./devnet.yaml`, else the only
 * candidate.
 * @throws Failure `which` (exit 2) with the list, if the choice is not clear
 */
export function selectDevnet(io: Io, name: string | undefined, fits: (devnet: Devnet) => boolean = isUp): Devnet {
  const devnet = selected(io, name, fits);
  io.about?.(devnet.paths.name);
  return devnet;
}

function selected(io: Io, name: string | undefined, fits: (devnet: Devnet) => boolean): Devnet {
  const all = allDevnets(io);
  const target = name ?? nameOfShell(io);
  if (target !== undefined) return existingDevnet(io, all, target);
  const here = nameOfFolder(io);
  if (here !== undefined) return all.find(({ paths }) => paths.name === here) ?? notHere(here, all.filter(isUp));
  const candidates = all.filter(fits);
  const [only, ...others] = candidates.length > 0 ? candidates : all;
  if (only === undefined)
    throw new Failure('which', 'no devnet is up', {
      exit: EXIT.usage,
      data: { absent: true },
      hint: 'run `devnet up` to start one',
    });
  if (others.length > 0)
    throw new Failure('which', `several devnets exist: ${list(candidates.length > 0 ? candidates : all)}`, {
      exit: EXIT.usage,
      hint: 'select one with --name NAME or DEVNET_NAME',
    });
  return only;
}

/** Returns whether a command in the same shell and folder means this devnet without its name. */
export function isMeantWithoutName(io: Io, name: string): boolean {
  const current = nameOfShell(io) ?? (io.folderDevnet?.kind === 'named' ? io.folderDevnet.name : io.folderDevnet?.kind);
  if (current !== undefined) return current === name;
  const all = allDevnets(io);
  const up = all.filter(isUp);
  return (up.length > 0 ? up : all).every(({ paths }) => paths.name === name);
}

function existingDevnet(io: Io, all: readonly Devnet[], name: string): Devnet {
  const devnet = all.find(({ paths }) => paths.name === name);
  if (devnet) return devnet;
  pathsOf(homeOf(io), name);
  throw new Failure('which', `unknown devnet ${name}${all.length > 0 ? `; expected one of ${list(all)}` : ''}`, {
    exit: EXIT.usage,
    data: { absent: true },
    ...(all.length === 0 && { hint: 'no devnet is up; run `devnet up` to start one' }),
  });
}

function notHere(name: string, up: readonly Devnet[]): never {
  const others = up.length === 0 ? '' : `, or name another one with --name: ${list(up)}`;
  throw new Failure('which', `${name}, which ./${FOLDER_SPEC} names, is not up`, {
    exit: EXIT.usage,
    data: { absent: true },
    hint: `run \`devnet up\` to start it${others}`,
  });
}

/** Returns whether a supervisor runs for it. */
export function isUp({ owner }: Devnet): boolean {
  return owner !== undefined;
}

function list(devnets: readonly Devnet[]): string {
  return devnets.map((devnet) => `${devnet.paths.name} (${phaseOf(devnet)})`).join(', ');
}

/** Reads its state and plan. @throws Failure if it was never planned or its files are damaged */
export function viewOf(devnet: Devnet): { readonly state: State; readonly plan: Plan } {
  const { file, paths } = devnet;
  if (file.kind === 'version')
    throw new Failure(
      'state',
      `the state of ${paths.name} was written by another version of devnet (schema ${String(file.schema)})`,
      {
        hint: `use that version, or run \`devnet down ${paths.name}\` to remove it`,
      },
    );
  const plan = readPlan(paths);
  if (file.kind !== 'state' || plan === undefined)
    throw new Failure(
      'state',
      file.kind === 'corrupt'
        ? `the state of ${paths.name} cannot be read; it was moved to ${file.movedTo}`
        : `${paths.name} has no complete state`,
      { hint: `run \`devnet down ${paths.name}\` to end and remove it` },
    );
  return { state: { ...file.state, phase: phaseOf(devnet) }, plan };
}

/** Connects to its supervisor. @throws Failure if none answers */
export async function controlOf(devnet: Devnet): Promise<ControlClient> {
  // Without a supervisor, whatever listens there is another program.
  mustBeUp(devnetAt(devnet.paths));
  const control = await connectControl(devnet.paths.control);
  if (control === undefined) throw notRunning(devnet);
  return control;
}

/** Asks the supervisor of a devnet, and closes the connection. @throws Failure, also if none runs */
export async function withControl<T>(devnet: Devnet, work: (control: ControlClient) => Promise<T>): Promise<T> {
  const control = await controlOf(devnet);
  try {
    return await work(control);
  } finally {
    control.close();
  }
}

/**
 * Does the same. A failure of the connection, and an error that is no failure, are of the subject `code`.
 * @throws Failure
 */
export async function withControlOf<T>(
  code: FailureCode,
  devnet: Devnet,
  work: (control: ControlClient) => Promise<T>,
): Promise<T> {
  try {
    return await withControl(devnet, work);
  } catch (error) {
    if (error instanceof Failure && error.code !== 'control') throw error;
    throw new Failure(code, messageOf(error), { cause: error });
  }
}

/** @throws Failure if no supervisor runs for it */
export function mustBeUp(devnet: Devnet): void {
  if (!isUp(devnet)) throw notRunning(devnet);
}

function notRunning({ paths }: Devnet): Failure {
  return new Failure('control', `${paths.name} is not running`, {
    hint: `run \`devnet start ${paths.name}\` to resume it`,
  });
}
