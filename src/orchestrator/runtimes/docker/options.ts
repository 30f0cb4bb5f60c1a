import type { ContainerCreateOptions } from 'dockerode';
import { exists, makeFolders } from '../../../system/files/folder.ts';
import { giveFile, giveFolder, type Owner, ownUser } from '../../../system/files/ownership.ts';
import type { Command, Container as ContainerOptions, Task } from '../../plan/plan.ts';
import { cacheFolder, type Paths, stampOf } from '../../state/paths.ts';
import { labelsOf, type Mark } from './labels.ts';

/** What the container of a command is made of. */
export interface TaskContainer {
  readonly task: Task;
  readonly container: ContainerOptions;
  readonly command: Command;
  readonly paths: Paths;
  readonly mark: Required<Mark>;
  readonly user: Owner;
  readonly hasInit: boolean;
  /** Name of the container whose network it uses. */
  readonly network: string;
}

/** Returns the options of a command's container. Makes its folders, and gives its files to its user. */
export function taskOptions(parts: TaskContainer): ContainerCreateOptions {
  const { task, container, command, paths, mark, user, hasInit, network } = parts;
  const binds = mounts(task, command, paths);
  if (ownUser()?.uid === 0) {
    giveFolder(command.cwd, user);
    for (const { path, isFolder } of binds) isFolder ? giveFolder(path, user) : giveFile(path, user);
  }
  const environment = {
    ...stampOf(paths),
    DEVNET_TASK: task.id,
    HOME: command.cwd,
    // In the cache that containers share. The image has none: what its build could compile is a part of a start only.
    ...(container.own ? { NODE_COMPILE_CACHE: cacheFolder(paths.home, 'code') } : {}),
    ...command.env,
  };
  return {
    ...programOf(container, command),
    Image: container.image,
    User: `${user.uid}:${user.gid}`,
    WorkingDir: command.cwd,
    Env: Object.entries(environment).map(([key, value]) => `${key}=${value}`),
    Labels: labelsOf(mark, paths, task.id),
    ...UNCHECKED,
    HostConfig: {
      Init: hasInit,
      NetworkMode: `container:${network}`,
      Binds: [`${command.cwd}:${command.cwd}`, ...binds.map(({ path, at, mode }) => `${path}:${at}:${mode}`)],
      ...CONFINED,
      ...limitsOf(container),
    },
  };
}

/** No health command of Docker: the supervisor asks the processes. That of the package's image is for exports. */
export const UNCHECKED = { Healthcheck: { Test: ['NONE'] } };

/** What all containers of a devnet have: no capabilities, and a bounded log of Docker's own. */
export const CONFINED = {
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges'],
  LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
};

/** A file or folder of the machine in a container. */
interface Mount {
  readonly path: string;
  readonly at: string;
  readonly mode: 'ro' | 'rw';
  readonly isFolder: boolean;
}

/** Returns what a task's container sees of the machine beside its own folder: only what the task needs. */
function mounts(task: Task, command: Command, paths: Paths): readonly Mount[] {
  makeFolders(command.cwd);
  const cache = cacheFolder(paths.home, 'containers');
  makeFolders(cache);
  const resumeFiles = task.resume === undefined ? [] : [task.resume.file];
  const files = [...new Set([...task.reads, ...resumeFiles, paths.clock])].filter(
    (path) => exists(path) && !path.startsWith(`${command.cwd}/`),
  );
  return [
    ...files.map((path) => ({ path, at: path, mode: 'ro', isFolder: false }) as const),
    ...(exists(paths.clockSocket)
      ? [{ path: paths.clockSocket, at: paths.clockSocket, mode: 'rw', isFolder: false } as const]
      : []),
    { path: cache, at: cacheFolder(paths.home), mode: 'rw', isFolder: true },
  ];
}

/** Returns the program of a command in an image. */
export function programOf({ entry }: ContainerOptions, { argv }: Command): ContainerCreateOptions {
  const [program = '', ...rest] = argv;
  return entry ? { Cmd: [...argv] } : { Entrypoint: [program], Cmd: rest };
}

function limitsOf({ limits = {} }: ContainerOptions): { NanoCpus?: number; Memory?: number; MemorySwap?: number } {
  const { cpus, memory } = limits;
  return {
    ...(cpus === undefined ? {} : { NanoCpus: Math.round(cpus * 1e9) }),
    // Without a bound of its own, swap would double the memory.
    ...(memory === undefined ? {} : { Memory: memory, MemorySwap: memory }),
  };
}
