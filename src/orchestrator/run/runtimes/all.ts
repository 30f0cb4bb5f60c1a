import type { Plan } from '../../plan/plan.ts';
import type { DockerRuntimeParts } from './docker/runtime.ts';
import { type ProcessRuntimeParts, processRuntime } from './process.ts';
import type { Runtime } from './runtime.ts';

/** Returns the runtime of all tasks of a plan. Containers are loaded only where a task runs in one. */
export function runtimesOf(plan: () => Plan, parts: ProcessRuntimeParts, inContainers: DockerRuntimeParts): Runtime {
  const processes = processRuntime(parts);
  let containers: Promise<Runtime> | undefined;
  const loaded = () =>
    (containers ??= import('./docker/runtime.ts').then(({ dockerRuntime }) => dockerRuntime(inContainers)));
  if (usesContainers(plan())) void loaded();
  return {
    start: async (task, command) =>
      task.container === undefined ? processes.start(task, command) : (await loaded()).start(task, command),
    version: async (task) => (task.container === undefined ? processes : await loaded()).version(task),
    async close() {
      await (await containers)?.close();
    },
  };
}

/** Returns whether a task of the plan runs in a container. */
export function usesContainers(plan: Plan): boolean {
  return plan.tasks.some(({ container }) => container !== undefined);
}
