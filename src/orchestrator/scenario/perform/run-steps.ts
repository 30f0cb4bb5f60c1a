import { connectControl } from '../../control/client.ts';
import { type Devnet, viewOf } from '../../devnet/select.ts';
import { readPlan } from '../../folder/devnet-folder.ts';
import type { Source } from '../../spec/text/source.ts';
import type { Io } from '../../terminal/io.ts';
import { loadSteps } from '../read/load.ts';
import type { ScenarioResult } from '../result.ts';
import { secondsSince } from './perform.ts';
import { performSteps } from './perform-steps.ts';
import { headsOf } from './run-scenario.ts';

/** What of a run its caller decides. */
interface StepsOptions {
  /** Seed of the choices of steps. Default: the scenario's, else 0. */
  readonly seed: number | undefined;
  /** Ends the run. The step that runs fails. */
  readonly over: AbortSignal;
}

/**
 * Runs the steps of a scenario on a network that runs. `scenario`: a path, a sample's name, or its text.
 * @throws Failure `scenario` if a step can never come true
 */
export async function runSteps(
  io: Io,
  devnet: Devnet,
  input: string | Source,
  { seed: seedOption, over }: StepsOptions,
): Promise<ScenarioResult> {
  const { plan } = viewOf(devnet);
  const { scenario, source } = loadSteps(io.cwd, input, plan);
  const seed = seedOption ?? scenario.seed ?? 0;
  const began = performance.now();
  const control = await connectControl(devnet.paths.control);
  try {
    const isOver = new Promise<void>((resolve) => {
      if (over.aborted) resolve();
      over.addEventListener('abort', () => resolve());
    });
    const networkEnd = Promise.race([control?.events(() => undefined), isOver]);
    const steps = await performSteps(io, { scenario, source, seed }, { plan, networkEnd });
    const result = { name: scenario.name, passed: steps.every(({ status }) => status === 'passed'), seed };
    return { ...result, seconds: secondsSince(began), steps, heads: await headsOf(readPlan(devnet.paths) ?? plan) };
  } finally {
    control?.close();
  }
}
