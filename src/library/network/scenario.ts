import { connectControl } from '../../orchestrator/control/client.ts';
import { type Devnet, viewOf } from '../../orchestrator/devnet/select.ts';
import { secondsSince } from '../../orchestrator/scenario/perform/perform.ts';
import { performSteps } from '../../orchestrator/scenario/perform/perform-steps.ts';
import { headsOf } from '../../orchestrator/scenario/perform/run-scenario.ts';
import { loadSteps } from '../../orchestrator/scenario/read/load.ts';
import type { ScenarioResult } from '../../orchestrator/scenario/result.ts';
import type { Io } from '../../orchestrator/terminal/io.ts';
import type { RunOptions, ScenarioDocument } from './devnet-types.ts';

/**
 * Runs the steps of a scenario on a network that runs, until `over` is aborted.
 * @throws Failure `scenario` if a step can never come true
 */
export async function runSteps(
  io: Io,
  devnet: Devnet,
  input: string | ScenarioDocument,
  { seed: seedOption }: RunOptions,
  over: AbortSignal,
): Promise<ScenarioResult> {
  const { plan } = viewOf(devnet);
  const text = typeof input === 'string' ? input : { name: 'scenario', text: JSON.stringify(input, null, 2) };
  const { scenario, source } = loadSteps(io.cwd, text, plan);
  const seed = seedOption ?? scenario.seed ?? 0;
  const began = performance.now();
  const control = await connectControl(devnet.paths.control);
  try {
    const isOver = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
    const networkEnd = Promise.race([control?.events(() => undefined), isOver]);
    const steps = await performSteps(io, { scenario, source, seed }, { plan, networkEnd });
    const result = { name: scenario.name, passed: steps.every(({ status }) => status === 'passed'), seed };
    return { ...result, seconds: secondsSince(began), steps, heads: await headsOf(plan) };
  } finally {
    control?.close();
  }
}
