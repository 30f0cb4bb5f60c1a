import type { ProcessSpec } from '../../spec/schema/types.ts';
import type { Values } from '../../template/references.ts';
import type { ClientTemplate, OptionsTemplate } from '../../template/template.ts';
import { parseText, renderText } from '../../template/text.ts';
import type { PlanInputs } from '../inputs.ts';
import type { Task } from '../plan.ts';

/** A process as its spec and its template launch it. */
interface Launch {
  readonly process: ProcessSpec;
  readonly template: ClientTemplate;
  /** Arguments and environment that the template gives to this role only. */
  readonly role?: OptionsTemplate | undefined;
}

/**
 * Size of V8's young generation (MB): two or three spaces of this size are in use. With 16 MB instead a start takes as
 * much processor time, a full block does too, and each process keeps 30 MB more (`make bench-memory`).
 */
const NODE_OPTIONS = ['--min-semi-space-size=1', '--max-semi-space-size=2'];

/**
 * V8's threads free much that they allocate. With an arena for each of them, the C library keeps 10 MB a process. Its
 * other bounds grow with the largest piece that was freed, up to 32 MB.
 */
const NODE_ENV = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' };

/** Folder of this package in its own image. */
const IN_IMAGE = '/opt/rollup-devnet';

/** Returns the container of a task, if it runs in one. */
export function containerOf(
  { template: { runs }, process: { runtime, image, limits } }: Launch,
  inputs: PlanInputs,
): Pick<Task, 'container'> {
  if (runtime !== 'docker') return {};
  const name = image ?? runs.docker?.image ?? undefined;
  const entry = runs.embedded === undefined && runs.docker?.program === undefined;
  const bounds = limits === undefined ? {} : { limits };
  return { container: { image: name ?? inputs.image, own: name === undefined, entry, ...bounds } };
}

/** Returns the first words of a command in a container. */
function inImage({ embedded, docker }: ClientTemplate['runs']): readonly string[] {
  if (docker?.program !== undefined) return [docker.program];
  return embedded === undefined ? [] : ['node', ...NODE_OPTIONS, `${IN_IMAGE}/dist/${embedded}.js`];
}

/** Returns the first words of a task's command. */
export function programOf({ template, process }: Launch, inputs: PlanInputs, values: Values): readonly string[] {
  if (process.runtime === 'docker') return inImage(template.runs);
  if (process.runtime === 'embedded')
    return [inputs.nodePath, ...NODE_OPTIONS, `${inputs.distDir}/${template.runs.embedded}.js`];
  const text = template.runs.process;
  return [process.binary ?? String(renderText(text ?? parseText(template.name), values))];
}

/** Renders the environment of a task's commands. */
export function environmentOf({ template, role, process }: Launch, values: Values): Readonly<Record<string, string>> {
  const texts = {
    ...template.env,
    ...role?.env,
    ...Object.fromEntries(
      Object.entries(process.env).map(([name, value]) => [name, value === null ? null : { parts: [value] }]),
    ),
  };
  const entries = Object.entries(texts).flatMap(([name, text]) => {
    const value = text === null ? undefined : renderText(text, values);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { ...(process.runtime === 'embedded' ? NODE_ENV : {}), ...Object.fromEntries(entries) };
}
