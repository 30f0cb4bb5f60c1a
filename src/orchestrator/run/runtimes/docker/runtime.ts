import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { Failure } from '../../../../system/failure.ts';
import { exists, makeFolders } from '../../../../system/folder.ts';
import { giveFile, giveFolder, ownUser } from '../../../../system/ownership.ts';
import type { Command, Container as ContainerOptions, Plan, Task } from '../../../plan/plan.ts';
import { cacheFolder, type Paths, stampOf } from '../../paths.ts';
import { firstLine } from '../../version.ts';
import type { Running, Runtime } from '../runtime.ts';
import { connectDocker, type Daemon, type Environment } from './connect.ts';
import { runningContainer } from './container.ts';
import { explained } from './errors.ts';
import { labelsOf, type Mark, nameOf } from './labels.ts';
import { followOutput } from './output.ts';
import { type Pod, startPod } from './pod.ts';
import { removeMarked } from './sweep.ts';

/** Time (ms) for a program to print its version. */
const VERSION_MS = 10_000;

export interface DockerRuntimeParts {
  readonly paths: Paths;
  readonly mark: Required<Mark>;
  readonly env: Environment;
  /** The plan in force. */
  plan(): Plan;
}

/** Runs each command in a container. The containers of a devnet share one network and its addresses. */
export function dockerRuntime(parts: DockerRuntimeParts): Runtime {
  const { paths, mark, env, plan } = parts;
  let connected: Promise<Daemon> | undefined;
  let shared: Promise<Pod> | undefined;
  /** Containers by task: a task's next command takes the name of the last one. */
  const last = new Map<string, Running>();

  const daemon = () => (connected ??= cleared());

  /** What an earlier supervisor of this devnet left has our names. */
  async function cleared(): Promise<Daemon> {
    const found = await connectDocker(env);
    await removeMarked(env, { folder: paths.folder });
    return found;
  }

  const pod = () => (shared ??= daemon().then((each) => startPod(each, plan(), paths, mark)));

  async function start(task: Task, container: ContainerOptions, command: Command): Promise<Running> {
    const { docker, user, hasInit } = await daemon();
    const { container: network } = await pod();
    await last.get(task.id)?.end({ signal: 'SIGKILL', graceMs: 0 }, AbortSignal.abort());
    const binds = mounts(task, command, paths);
    if (ownUser()?.uid === 0) {
      giveFolder(command.cwd, user);
      for (const { path, isFolder } of binds) isFolder ? giveFolder(path, user) : giveFile(path, user);
    }
    const name = `${nameOf(paths)}-${task.id.replaceAll('/', '-')}`;
    const made = await docker.createContainer({
      name,
      ...programOf(container, command),
      Image: container.image,
      User: `${user.uid}:${user.gid}`,
      WorkingDir: command.cwd,
      Env: Object.entries({ ...stampOf(paths), DEVNET_TASK: task.id, HOME: command.cwd, ...command.env }).map(
        ([key, value]) => `${key}=${value}`,
      ),
      Labels: labelsOf(mark, paths, task.id),
      HostConfig: {
        Init: hasInit,
        NetworkMode: `container:${network}`,
        Binds: [`${command.cwd}:${command.cwd}`, ...binds.map(({ path, at, mode }) => `${path}:${at}:${mode}`)],
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
        ...limitsOf(container),
      },
    });
    const output = followOutput(made, task.log);
    await output.attached;
    await made.start();
    const running = runningContainer(name, made, output);
    last.set(task.id, running);
    return running;
  }

  return {
    async start(task, command) {
      const { container } = task;
      if (container === undefined) throw new Failure('spawn', `${task.id} has no container`);
      try {
        return await start(task, container, command);
      } catch (error) {
        throw explained(error, container.image);
      }
    },
    async version({ id, container, version }) {
      if (container === undefined || version === undefined) return undefined;
      const { docker, user } = await daemon();
      const common = { User: `${user.uid}:${user.gid}`, Labels: labelsOf(mark, paths, id) };
      return firstLine(await outputOf(docker, container, version, common).catch(() => ''));
    },
    async close() {
      const open = shared;
      shared = undefined;
      last.clear();
      await (await open?.catch(() => undefined))?.close();
    },
  };
}

/** Returns what a command prints in a container of its own, without network. */
async function outputOf(
  docker: Docker,
  container: ContainerOptions,
  command: Command,
  common: ContainerCreateOptions,
): Promise<string> {
  const made = await docker.createContainer({
    ...common,
    ...programOf(container, command),
    Image: container.image,
    HostConfig: { NetworkMode: 'none', CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] },
    Tty: true,
  });
  try {
    await made.start();
    await Promise.race([made.wait(), sleep(VERSION_MS)]);
    return String(await made.logs({ stdout: true, stderr: true, tail: 20 }));
  } finally {
    await made.remove({ force: true, v: true });
  }
}

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
  const cache = `${cacheFolder(paths.home)}containers`;
  makeFolders(cache);
  const files = [...new Set([...task.reads, paths.clock])].filter(
    (path) => exists(path) && !path.startsWith(`${command.cwd}/`),
  );
  return [
    ...files.map((path) => ({ path, at: path, mode: 'ro', isFolder: false }) as const),
    ...(exists(paths.clockSocket)
      ? [{ path: paths.clockSocket, at: paths.clockSocket, mode: 'rw', isFolder: false } as const]
      : []),
    { path: cache, at: cacheFolder(paths.home).replace(/\/$/, ''), mode: 'rw', isFolder: true },
  ];
}

function programOf({ entry }: ContainerOptions, { argv }: Command): ContainerCreateOptions {
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
