import { Failure, messageOf } from '../../../system/failure.ts';
import { freshState } from '../../devnet/fresh-state.ts';
import { noAnswer } from '../../devnet/no-answer.ts';
import { readHeads } from '../../status/heads.ts';
import type { Io } from '../../terminal/io.ts';
import { resolveReferences } from '../read/references.ts';
import { runOf } from '../run.ts';
import { numberOf } from '../scenario.ts';
import type { Evidence, ReadStep, Run, StepResult } from '../step.ts';
import { networkProblems } from './problems.ts';

/** Returns a function that runs single steps of one scenario and keeps their values. It never throws. */
export function performer(
  io: Io,
  file: string,
  context: Pick<Run, 'name' | 'seed' | 'folder' | 'signal' | 'time'>,
): (step: ReadStep) => Promise<StepResult> {
  const values = new Map<string, Evidence>();
  const perform = async (step: ReadStep): Promise<StepResult> => {
    const began = performance.now();
    const done = (status: StepResult['status'], evidence: Evidence): StepResult => ({
      number: numberOf(step),
      step: step.text,
      status,
      seconds: secondsSince(began),
      evidence,
      at: `${file}:${step.line}`,
    });
    try {
      const value = step.kind.inner === undefined ? resolveReferences(step.value, values) : step.value;
      const evidence = await step.kind.run(value, { ...run, inner: step.inner });
      if (step.as !== undefined) values.set(step.as, evidence);
      return done('passed', evidence);
    } catch (error) {
      // Of a step within this one, the state at its failure is known.
      const isInner = error instanceof Failure && error.code === 'inner';
      return done('failed', { ...explained(error, run), ...(isInner ? {} : await stateOf(run)) });
    }
  };
  const run = runOf(io, context, perform);
  return perform;
}

/** Seconds since a moment of the monotonic clock, in milliseconds. */
export function secondsSince(began: number): number {
  return Math.round(performance.now() - began) / 1000;
}

function explained(reason: unknown, { io }: Pick<Run, 'io'>): Evidence {
  const error = noAnswer(reason, io) ?? reason;
  return {
    error: messageOf(error),
    ...(error instanceof Failure && error.hint !== undefined ? { hint: error.hint } : {}),
    ...(error instanceof Failure ? error.data : {}),
  };
}

/** Describes every node and every problem, for a step that failed. Empty if the devnet is gone. */
async function stateOf(run: Pick<Run, 'devnet' | 'plan'>): Promise<Evidence> {
  try {
    const devnet = run.devnet();
    const [heads, state, problems] = await Promise.all([
      readHeads(run.plan()),
      freshState(devnet),
      networkProblems(devnet),
    ]);
    const nodes = [...heads].map(([node, { unsafe, safe, finalized, unanswered }]) => ({
      node,
      el: state.tasks[`${node}/el`]?.phase ?? 'external',
      cl: state.tasks[`${node}/cl`]?.phase ?? 'external',
      unsafe,
      safe: safe?.number ?? null,
      finalized: finalized?.number ?? null,
      ...(unanswered === undefined ? {} : { unanswered }),
    }));
    return { phase: state.phase, nodes, problems };
  } catch {
    return {};
  }
}
