import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { Failure } from '../../../system/failure.ts';
import { memoize } from '../../../system/time/memo.ts';
import type { Command, Container as ContainerOptions, Plan, Task } from '../../plan/plan.ts';
import type { Paths } from '../../state/paths.ts';
import type { Running, Runtime } from '../interface/runtime.ts';
import { firstLine } from '../interface/version.ts';
import type { Environment } from './certificates.ts';
import { connectDocker, type Daemon, untilSettled } from './connect.ts';
import { createOwn, ignoreGone, type RunningContainer, runningContainer } from './container.ts';
import { removeContainers } from './containers.ts';
import { failureOfAnswer, isAway } from './errors.ts';
import { labelsOf, type Mark, nameOf } from './labels.ts';
import { programOf, taskOptions } from './options.ts';
import { followOutput } from './output.ts';
import { type Pod, startPod } from './pod.ts';

/** Time (ms) between the exits of containers that end for one reason. */
const COMMON_EXIT_SPREAD_MS = 400;

/** Time (ms) between two starts of a task while the daemon is away. */
const START_RETRY_MS = 500;

/** Time (ms) for a program to print its version. */
const VERSION_TIMEOUT_MS = 10_000;

export interface DockerRuntimeParts {
  readonly paths: Paths;
  readonly mark: Required<Mark>;
  readonly env: Environment;
  /** The plan in force. */
  plan(): Plan;
}

/** Runs each command in a container. The containers of a devnet share one network and its addresses. */
export class DockerRuntime implements Runtime {
  readonly #parts: DockerRuntimeParts;
  readonly #daemon = memoize(() => this.#connect());
  readonly #pod = memoize(() => this.#openPod());
  /** The removal of a pod that was lost: the next one has its names. */
  #clearing: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** Containers by task: a task's next command takes the name of the last one. */
  readonly #containers = new Map<string, RunningContainer>();
  /** Tasks whose own command has run. Its next start waits for a daemon that is away. */
  readonly #startedTasks = new Set<string>();

  constructor(parts: DockerRuntimeParts) {
    this.#parts = parts;
  }

  async start(task: Task, command: Command): Promise<Running> {
    const { container } = task;
    if (container === undefined) throw new Failure('spawn', `${task.id} has no container`);
    for (;;) {
      try {
        return await this.#startContainer(task, container, command);
      } catch (error) {
        // A restart that fails counts towards the end of all restarts. How long a daemon is away must not.
        const isRetried = !this.#isClosed && this.#startedTasks.has(task.id) && isAway(error);
        if (!isRetried) throw failureOfAnswer(error, container.image);
      }
      await sleep(START_RETRY_MS);
    }
  }

  async version({ id, container, version }: Task): Promise<string | undefined> {
    if (container === undefined || version === undefined || this.#isClosed) return undefined;
    const { mark, paths } = this.#parts;
    const { docker, user } = await this.#daemon.get();
    const common = { User: `${user.uid}:${user.gid}`, Labels: labelsOf(mark, paths, id) };
    return firstLine(await outputOf(docker, container, version, common, () => this.#isClosed).catch(() => ''));
  }

  async close(unused: Promise<unknown>, taskEnds: Promise<unknown>): Promise<void> {
    this.#isClosed = true;
    if (this.#daemon.current() === undefined) return;
    const closePod = async () => {
      await unused;
      await this.#clearing;
      await (await this.#pod.current()?.catch(() => undefined))?.close();
    };
    const endContainers = async () => {
      await taskEnds;
      await Promise.all([...this.#containers.values()].map((running) => running.removed()));
    };
    try {
      await Promise.all([closePod(), endContainers()]);
      // A daemon that was restarted refuses some removals at first.
      await removeContainers(this.#parts.env, this.#parts.mark);
    } catch (error) {
      throw failureOfAnswer(error, 'what is left of the devnet');
    }
  }

  /** Connects, and removes what an earlier supervisor of this devnet left: it has our names. */
  async #connect(): Promise<Daemon> {
    const { env, paths } = this.#parts;
    const daemon = await connectDocker(env);
    await removeContainers(env, { folder: paths.folder });
    return daemon;
  }

  async #openPod(): Promise<Pod> {
    const { plan, paths, mark } = this.#parts;
    await this.#clearing;
    const daemon = await this.#daemon.get();
    const pod = await startPod(daemon, plan(), paths, mark);
    void pod.exit.then(() => {
      if (this.#isClosed) return;
      // Without it, no port of the others is published. The next start of any makes another.
      this.#pod.clear();
      const removeAll = () => Promise.allSettled([...[...this.#containers.values()].map(killed), pod.close()]);
      this.#clearing = untilSettled(daemon.docker, () => this.#isClosed).then(removeAll);
    });
    return pod;
  }

  async #startContainer(task: Task, container: ContainerOptions, command: Command): Promise<Running> {
    this.#mustBeOpen();
    const { paths, mark } = this.#parts;
    const { docker, user, hasInit } = await this.#daemon.get();
    const { container: network } = await this.#pod.get();
    const former = this.#containers.get(task.id);
    if (former !== undefined) await killed(former);
    const name = `${nameOf(paths)}-${task.id.replaceAll('/', '-')}`;
    const options = taskOptions({ task, container, command, paths, mark, user, hasInit, network });
    const handle = await createOwn(docker, paths.folder, name, options);
    if (this.#isClosed) await handle.remove({ force: true, v: true }).catch(ignoreGone);
    this.#mustBeOpen();
    const output = followOutput(handle, task.log);
    await output.attached;
    await handle.start();
    const running = runningContainer(name, handle, output, async () => {
      if (command !== task.command) return;
      // A daemon that stops ends all containers at about the same time.
      await sleep(COMMON_EXIT_SPREAD_MS);
      await this.#clearing;
    });
    this.#containers.set(task.id, running);
    if (command === task.command) this.#startedTasks.add(task.id);
    return running;
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new Error('the devnet ends');
  }
}

/** Ends a container at once, and resolves when its name is free. */
async function killed(running: RunningContainer): Promise<void> {
  await running.end({ signal: 'SIGKILL', graceMs: 0 }, AbortSignal.abort());
  await running.removed();
}

/** Returns what a command prints in a container of its own, without network. Nothing if it `isOver` before. */
async function outputOf(
  docker: Docker,
  container: ContainerOptions,
  command: Command,
  common: ContainerCreateOptions,
  isOver: () => boolean,
): Promise<string> {
  const instance = await docker.createContainer({
    ...common,
    ...programOf(container, command),
    Image: container.image,
    HostConfig: { NetworkMode: 'none', CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] },
    Tty: true,
  });
  try {
    if (isOver()) return '';
    await instance.start();
    await Promise.race([instance.wait(), sleep(VERSION_TIMEOUT_MS)]);
    return String(await instance.logs({ stdout: true, stderr: true, tail: 20 }));
  } finally {
    await instance.remove({ force: true, v: true });
  }
}
