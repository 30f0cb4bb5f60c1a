import { dirname } from 'node:path';
import { isEnding } from '../../devnet/network-end.ts';
import { devnetAt } from '../../devnet/select.ts';
import { homeOf } from '../../folder/home.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Source } from '../../spec/text/source.ts';
import { pathsOf } from '../../state/paths.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { Io } from '../../terminal/io.ts';
import { numberOf, type Scenario } from '../scenario.ts';
import type { StepResult } from '../step.ts';
import { timeOf } from '../time.ts';
import { stepLines } from './lines.ts';
import { performer, secondsSince } from './perform.ts';

/** A running network on which steps run. */
export interface Stage {
  readonly plan: Plan;
  /** Resolves when the network ends. */
  readonly networkEnd: Promise<unknown>;
}

/** The steps of a scenario with the text that they were read from. */
export interface Script {
  readonly scenario: Pick<Scenario, 'steps'>;
  readonly source: Source;
  /** What choices of the steps follow from. */
  readonly seed: number;
}

/** Runs the steps until one fails or the network ends. Returns a result of each; steps that did not run are skipped. */
export async function performSteps(io: Io, script: Script, stage: Stage): Promise<readonly StepResult[]> {
  const results = await performInTurn(io, script, stage);
  return [...results, ...skippedSteps(io, script, results.length)];
}

/** Returns the results of the steps from an index on, none of which runs. */
export function skippedSteps(io: Io, { scenario: { steps }, source }: Script, from: number): readonly StepResult[] {
  const skipped = steps.slice(from).map(
    (step): StepResult => ({
      number: numberOf(step),
      step: step.text,
      status: 'skipped',
      seconds: 0,
      evidence: {},
      at: `${source.name}:${step.line}`,
    }),
  );
  for (const each of skipped) say(io, stepLines(each, steps.length));
  return skipped;
}

async function performInTurn(io: Io, { scenario, source, seed }: Script, stage: Stage): Promise<StepResult[]> {
  const { plan } = stage;
  const ending = new AbortController();
  const end = stage.networkEnd.then(() => {
    ending.abort(new Error('the network has ended'));
    return 'ended' as const;
  });
  const devnet = () => devnetAt(pathsOf(homeOf(io), plan.devnet));
  const time = await timeOf(devnet, plan, ending.signal);
  const perform = performer(io, source.name, {
    name: plan.devnet,
    seed,
    folder: source.path === undefined ? io.cwd : dirname(source.path),
    signal: ending.signal,
    time,
  });
  const results: StepResult[] = [];
  for (const step of scenario.steps) {
    const began = performance.now();
    const first = await Promise.race([perform(step), end]);
    // While the network ends, what a step needs of it is gone.
    const isCut = first !== 'ended' && first.status === 'failed' && isEnding(devnet());
    const outcome = isCut ? await end : first;
    const result: StepResult =
      outcome === 'ended'
        ? {
            number: numberOf(step),
            step: step.text,
            status: 'failed',
            seconds: secondsSince(began),
            evidence: { error: 'the network ended while this step ran' },
            at: `${source.name}:${step.line}`,
          }
        : outcome;
    results.push(result);
    say(io, stepLines(result, scenario.steps.length));
    if (result.status === 'failed') break;
  }
  return results;
}

function say(io: Io, lines: readonly string[]): void {
  for (const line of lines) io.stderr(fitToTerminal(io, `${line}\n`, 'stderr'));
}
