import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Container, ContainerCreateOptions } from 'dockerode';
import { processesOf } from '../../../system/process/container-processes.ts';
import type { Exit } from '../../../system/process/process.ts';
import { type Stop, signalOf, type Termination, terminate } from '../../../system/process/terminate.ts';
import type { Running } from '../interface/runtime.ts';
import { failureOfAnswer, statusOf } from './errors.ts';
import { FOLDER_LABEL } from './labels.ts';
import type { Output } from './output.ts';

/** Time (ms) for the last lines of an ended container to arrive. */
const LAST_LINES_TIMEOUT_MS = 1000;

/** Creates a container. One of the same name and devnet is removed: a start that failed left it. */
export async function createOwn(
  docker: Docker,
  folder: string,
  name: string,
  options: ContainerCreateOptions,
): Promise<Container> {
  try {
    return await docker.createContainer({ name, ...options });
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    const other = docker.getContainer(name);
    const { Config } = await other.inspect();
    if (Config.Labels[FOLDER_LABEL] !== folder) throw error;
    await other.remove({ force: true, v: true });
    return docker.createContainer({ name, ...options });
  }
}

/** A command in a container. Its end resolves with the exit, while the container is still being removed. */
export interface RunningContainer extends Running {
  /** Resolves when the container is removed, at once if it was never ended. @throws Error */
  removed(): Promise<void>;
}

/** Returns a started container as a running command. An exit that nothing here caused is told when it `counts`. */
export function runningContainer(
  name: string,
  container: Container,
  output: Output,
  counts: () => Promise<unknown>,
): RunningContainer {
  let isEnding = false;
  let removal: Promise<void> | undefined;
  const remove = () => {
    removal ??= container.remove({ force: true, v: true }).then(() => undefined, ignoreGone);
    // A daemon that was away is asked again at the next end.
    removal.catch(() => {
      removal = undefined;
    });
  };
  const over = exitOf(container, output.end);
  const exited = over.then(async (exit) => {
    await Promise.race([output.end, sleep(LAST_LINES_TIMEOUT_MS)]);
    if (!isEnding) await counts();
    return exit;
  });
  return {
    container: name,
    processes: processesIn(container),
    exited,
    pause: () => pause(container),
    async resume() {
      await container.unpause().catch(ignoreGone);
    },
    async end(stop, kill) {
      isEnding = true;
      try {
        const ending = await endContainer(container, over, stop, kill);
        remove();
        return ending;
      } catch (error) {
        throw failureOfAnswer(error, name);
      }
    },
    removed: async () => removal,
    // Docker's own proxy holds a published port. If the daemon runs without it, no process does.
    owns: ({ command }) => /docker-proxy|rootlesskit|com\.docker/.test(command),
  };
}

/** Time (ms) between two tries to pause a container, and their number. */
const PAUSE_RETRY_MS = 200;
const PAUSE_TRIES = 25;

/** On a busy machine the kernel does not freeze all processes in time, and the daemon answers 500. */
async function pause(container: Container): Promise<boolean> {
  for (let left = PAUSE_TRIES; ; left--) {
    try {
      await container.pause();
      return true;
    } catch (error) {
      const status = statusOf(error);
      // 409: it does not run, or is paused already.
      if (status === 404 || status === 409) return false;
      if (status !== 500 || left === 0) throw error;
      const { State } = await container.inspect();
      if (!State.Running || State.Paused) return State.Paused;
    }
    await sleep(PAUSE_RETRY_MS);
  }
}

/** The daemon is asked at the first call, so that no start waits for its answer. */
function processesIn(container: Container): () => readonly number[] {
  let first: number | undefined;
  let isAsked = false;
  return () => {
    if (!isAsked) {
      isAsked = true;
      container.inspect().then(
        ({ State }) => {
          first = State.Pid;
        },
        () => {
          isAsked = false;
        },
      );
    }
    return first === undefined ? [] : processesOf(container.id, first);
  };
}

/** Time (ms) between two questions to a daemon that went away. */
const DAEMON_RETRY_MS = 500;

/** Time (ms) after the end of a container's output in which the daemon tells its exit. */
const TOLD_MS = 2000;

/** Resolves when the container has ended, also while its daemon is restarted. `silent` resolves with its output. */
export async function exitOf(container: Container, silent: Promise<unknown>): Promise<Exit> {
  for (;;) {
    const over = new AbortController();
    try {
      const answer = container.wait({ abortSignal: over.signal });
      answer.catch(() => undefined);
      // An answer that a daemon began and did not finish never resolves.
      await Promise.race([answer, silent.then(() => sleep(TOLD_MS))]);
      // A daemon that stops ends its answers, too.
      const { State } = await container.inspect();
      if (!State.Running) return exitFrom(State.ExitCode);
    } catch (error) {
      if (statusOf(error) === 404) return { code: null, signal: 'SIGKILL' };
    } finally {
      over.abort();
    }
    await sleep(DAEMON_RETRY_MS);
  }
}

/** An init reports a program that a signal ended as 128 and the signal's number. */
function exitFrom(code: number): Exit {
  const signal = code > 128 ? signalOf(code - 128) : undefined;
  return signal === undefined ? { code, signal: null } : { code: null, signal };
}

async function endContainer(
  container: Container,
  exited: Promise<Exit>,
  stop: Stop,
  kill: AbortSignal,
): Promise<Termination> {
  const exit = exited.then(() => true);
  return terminate(
    {
      name: `container ${container.id.slice(0, 12)}`,
      async send(signal) {
        // A paused one takes the signal when it goes on.
        await Promise.all([container.kill({ signal }).catch(ignoreGone), container.unpause().catch(ignoreGone)]);
      },
      waitForEnd: (withinMs, cut) =>
        Promise.race([exit, sleep(withinMs, false, cut === undefined ? {} : { signal: cut }).catch(() => false)]),
    },
    stop,
    kill,
  );
}

/** Passes over the answers about a container that has ended or is gone. */
export function ignoreGone(error: unknown): void {
  if (![304, 404, 409, 500].includes(statusOf(error) ?? 0)) throw error;
}
