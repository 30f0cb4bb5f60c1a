import type { PortHolder } from '../../system/net/ports.ts';
import { signalGroup, terminateGroup } from '../../system/process/group.ts';
import { identify, type ProcessIdentity } from '../../system/process/identity.ts';
import { type Child, startProcess } from '../../system/process/process.ts';
import { descendants } from '../../system/process/sweep.ts';
import { processTable } from '../../system/process/table.ts';
import type { GuardClient } from '../guard/client.ts';
import type { Plan } from '../plan/plan.ts';
import { type Paths, tracesOf } from '../state/paths.ts';
import type { Environment } from './docker/certificates.ts';
import { usesContainers } from './docker/containers.ts';
import { markOfDevnet } from './docker/labels.ts';
import type { Running, Runtime } from './interface/runtime.ts';
import { reportedVersion } from './interface/version.ts';

/** What the commands of a devnet's tasks run with. */
export interface RuntimeParts {
  readonly paths: Paths;
  /** The supervisor. */
  readonly self: ProcessIdentity;
  /** Environment of the supervisor. */
  readonly env: Environment;
  /** Environment that every process inherits, with the devnet's stamp. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly guard: GuardClient;
}

/** Returns the runtime of all tasks of a plan. Containers are loaded only if a task runs in one. */
export function runtimesOf(plan: () => Plan, { paths, self, env, inherited, guard }: RuntimeParts): Runtime {
  const processes = processRuntime({ env: inherited, mark: tracesOf(paths).mark, guard });
  const mark = markOfDevnet(paths, self);
  let containers: Promise<Runtime> | undefined;
  const loaded = () => {
    if (containers !== undefined) return containers;
    guard.containers(mark);
    containers = import('./docker/runtime.ts').then(
      ({ DockerRuntime }) => new DockerRuntime({ paths, mark, env, plan }),
    );
    return containers;
  };
  if (usesContainers(plan())) void loaded();
  return {
    start: async (task, command) =>
      task.container === undefined ? processes.start(task, command) : (await loaded()).start(task, command),
    version: async (task) => (task.container === undefined ? processes : await loaded()).version(task),
    async close(unused, end) {
      await (await containers)?.close(unused, end);
    },
  };
}

interface ProcessRuntimeParts {
  /** Environment that every process inherits, with the devnet's stamp. */
  readonly env: Readonly<Record<string, string>>;
  /** Mark that all descendants inherit (see `markOf`). */
  readonly mark: number;
  readonly guard: GuardClient;
}

/** Runs each command as a process in a group of its own, which the guard knows. */
function processRuntime({ env, mark, guard }: ProcessRuntimeParts): Runtime {
  return {
    async start(task, command) {
      const stamp = { ...env, DEVNET_TASK: task.id };
      const child = await startProcess({
        argv: command.argv,
        cwd: command.cwd,
        env: { ...stamp, ...command.env },
        log: task.log,
        mark,
        lifeline: task.lifeline,
      });
      guard.group(child.group);
      return running(child, stamp, guard);
    },
    async version({ version }) {
      return version === undefined ? undefined : reportedVersion(version, env);
    },
    close: () => Promise.resolve(),
  };
}

function running({ pid, group, exited }: Child, stamp: Readonly<Record<string, string>>, guard: GuardClient): Running {
  return {
    process: identify(pid) ?? { pid, started: group.started, boot: '' },
    processes: () => [pid],
    exited,
    pause: () => Promise.resolve(signalGroup(group, 'SIGSTOP')),
    async resume() {
      signalGroup(group, 'SIGCONT');
    },
    async end(stop, kill) {
      const ending = await terminateGroup(group, stop, kill);
      guard.removeGroup(group.id);
      return ending;
    },
    owns: (holder) => isPart(holder, group.id, stamp),
  };
}

/** Variables that identify a task across all devnets. */
const IDENTITY = ['DEVNET_HOME', 'DEVNET_NAME', 'DEVNET_TASK'];

function isPart({ pid }: PortHolder, leader: number, stamp: Readonly<Record<string, string>>): boolean {
  if (pid === leader || processTable().find(pid)?.group === leader) return true;
  if (descendants([leader]).some((row) => row.pid === pid)) return true;
  const environment = processTable().environment(pid);
  return IDENTITY.every((key) => environment?.includes(`${key}=${stamp[key]}`));
}
