import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { Failure } from '../../../system/failure.ts';
import { memoize } from '../../../system/time/memo.ts';
import type { Command, Container as ContainerOptions, Plan, Task } from '../../plan/plan.ts';
import type { Paths } from '../../state/paths.ts';
import type { Running, Runtime } from '../runtime.ts';
import { firstLine } from '../version.ts';
import type { Environment } from './certificates.ts';
import { connectDocker, type Daemon, untilSettled } from './connect.ts';
import { createOwn, ignoreGone, type RunningContainer, runningContainer } from './container.ts';
import { failureOfAnswer, isAway } from './errors.ts';
import { labelsOf, type Mark, nameOf } from './labels.ts';
import { programOf, taskOptions } from './options.ts';
import { followOutput } from './output.ts';
import { type Pod, startPod } from './pod.ts';
import { removeMarked } from './sweep.ts';

/** Time (ms) between the exits of containers that end for one reason. */
const TOGETHER_MS = 400;

/** Time (ms) between two starts of a task while the daemon is away. */
const BACK_MS = 500;

/** Why a start is refused. */
const ENDS = 'the devnet ends';

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
  const connected = memoize(cleared);
  const shared = memoize(opened);
  /** The removal of a pod that was lost: the next one has its names. */
  let clearing: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  /** Containers by task: a task's next command takes the name of the last one. */
  const last = new Map<string, RunningContainer>();
  /** Tasks whose own command has run. Its next start waits for a daemon that is away. */
  const known = new Set<string>();

  /** What an earlier supervisor of this devnet left has our names. */
  async function cleared(): Promise<Daemon> {
    const found = await connectDocker(env);
    await removeMarked(env, { folder: paths.folder });
    return found;
  }

  async function opened(): Promise<Pod> {
    await clearing;
    const daemon = await connected.get();
    const pod = await startPod(daemon, plan(), paths, mark);
    void pod.ended.then(() => {
      if (isClosed) return;
      // Without it, no port of the others is published. The next start of any makes another.
      shared.clear();
      const removed = () => Promise.allSettled([...[...last.values()].map(killed), pod.close()]);
      clearing = untilSettled(daemon.docker, () => isClosed).then(removed);
    });
    return pod;
  }

  async function start(task: Task, container: ContainerOptions, command: Command): Promise<Running> {
    if (isClosed) throw new Error(ENDS);
    const { docker, user, hasInit } = await connected.get();
    const { container: network } = await shared.get();
    const former = last.get(task.id);
    if (former !== undefined) await killed(former);
    const name = `${nameOf(paths)}-${task.id.replaceAll('/', '-')}`;
    const options = taskOptions({ task, container, command, paths, mark, user, hasInit, network });
    const made = await createOwn(docker, paths.folder, name, options);
    if (isClosed) {
      await made.remove({ force: true, v: true }).catch(ignoreGone);
      throw new Error(ENDS);
    }
    const output = followOutput(made, task.log);
    await output.attached;
    await made.start();
    const running = runningContainer(name, made, output, async () => {
      if (command !== task.command) return;
      // A daemon that stops ends all containers at about the same time.
      await sleep(TOGETHER_MS);
      await clearing;
    });
    last.set(task.id, running);
    if (command === task.command) known.add(task.id);
    return running;
  }

  return {
    async start(task, command) {
      const { container } = task;
      if (container === undefined) throw new Failure('spawn', `${task.id} has no container`);
      for (;;) {
        try {
          return await start(task, container, command);
        } catch (error) {
          // A restart that fails counts towards the end of all restarts. How long a daemon is away must not.
          if (isClosed || !known.has(task.id) || !isAway(error)) throw failureOfAnswer(error, container.image);
        }
        await sleep(BACK_MS);
      }
    },
    async version({ id, container, version }) {
      if (container === undefined || version === undefined || isClosed) return undefined;
      const { docker, user } = await connected.get();
      const common = { User: `${user.uid}:${user.gid}`, Labels: labelsOf(mark, paths, id) };
      return firstLine(await outputOf(docker, container, version, common, () => isClosed).catch(() => ''));
    },
    async close(unused, ended) {
      isClosed = true;
      if (connected.current() === undefined) return;
      const podClosed = async () => {
        await unused;
        await clearing;
        await (await shared.current()?.catch(() => undefined))?.close();
      };
      const containersRemoved = async () => {
        await ended;
        await Promise.all([...last.values()].map((running) => running.removed()));
      };
      try {
        await Promise.all([podClosed(), containersRemoved()]);
        // A daemon that was restarted refuses some removals at first.
        await removeMarked(env, mark);
      } catch (error) {
        throw failureOfAnswer(error, 'what is left of the devnet');
      }
    },
  };
}

/** Ends a container at once, and resolves when its name is free. */
async function killed(running: RunningContainer): Promise<void> {
  await running.end({ signal: 'SIGKILL', graceMs: 0 }, AbortSignal.abort());
  await running.removed();
}

/** Returns what a command prints in a container of its own, without network. Nothing where it `isOver` before. */
async function outputOf(
  docker: Docker,
  container: ContainerOptions,
  command: Command,
  common: ContainerCreateOptions,
  isOver: () => boolean,
): Promise<string> {
  const made = await docker.createContainer({
    ...common,
    ...programOf(container, command),
    Image: container.image,
    HostConfig: { NetworkMode: 'none', CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] },
    Tty: true,
  });
  try {
    if (isOver()) return '';
    await made.start();
    await Promise.race([made.wait(), sleep(VERSION_MS)]);
    return String(await made.logs({ stdout: true, stderr: true, tail: 20 }));
  } finally {
    await made.remove({ force: true, v: true });
  }
}
