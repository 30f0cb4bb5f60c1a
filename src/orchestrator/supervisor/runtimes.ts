import type { ProcessIdentity } from '../../system/process/identity.ts';
import type { GuardClient } from '../guard/client.ts';
import type { Plan } from '../plan/plan.ts';
import type { Environment } from '../runtimes/docker/certificates.ts';
import { usesContainers } from '../runtimes/docker/containers.ts';
import { markOfDevnet } from '../runtimes/docker/labels.ts';
import { processRuntime } from '../runtimes/process.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import { type Paths, tracesOf } from '../state/paths.ts';

/** What the commands of a devnet's tasks run with. */
export interface RuntimeParts {
  readonly paths: Paths;
  /** The supervisor. */
  readonly own: ProcessIdentity;
  /** Environment of the supervisor. */
  readonly env: Environment;
  /** Environment that every process inherits, with the devnet's stamp. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly guard: GuardClient;
}

/** Returns the runtime of all tasks of a plan. Containers are loaded only if a task runs in one. */
export function runtimesOf(plan: () => Plan, { paths, own, env, inherited, guard }: RuntimeParts): Runtime {
  const processes = processRuntime({ env: inherited, mark: tracesOf(paths).mark, guard });
  const mark = markOfDevnet(paths, own);
  let containers: Promise<Runtime> | undefined;
  const loaded = () => {
    if (containers !== undefined) return containers;
    guard.containers(mark);
    containers = import('../runtimes/docker/runtime.ts').then(
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
