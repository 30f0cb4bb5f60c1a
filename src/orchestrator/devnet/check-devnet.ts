import { readAgreed, writeAgreed } from '../divergence/check/agreed-file.ts';
import { type CheckResult, type Compared, checkNetwork, NO_ANSWER } from '../divergence/check/check.ts';
import type { Divergence } from '../divergence/compare.ts';
import type { Explanation } from '../divergence/explain/explain.ts';
import type { Plan } from '../plan/plan.ts';
import { freshState } from './fresh-state.ts';
import { type Devnet, isUp, viewOf } from './select.ts';

/** A divergence with its explanation, if one was asked for and the nodes have blocks to compare. */
export interface ExplainedDivergence extends Divergence {
  readonly explanation?: Explanation;
}

/** What `devnet check` finds. */
export interface ExplainedResult extends CheckResult {
  readonly divergence: ExplainedDivergence | null;
  readonly divergences: readonly ExplainedDivergence[];
}

/** The result of a check. `isWhole`: every node answered. */
export interface Checked {
  readonly result: ExplainedResult;
  readonly isWhole: boolean;
}

/**
 * Compares every block on every node of a devnet. `explains`: adds to each divergence what differs and why.
 * `compared` is called after each batch of blocks.
 */
export async function checkDevnet(devnet: Devnet, explains: boolean, compared?: Compared): Promise<Checked> {
  return isUp(devnet) ? await checkRunning(devnet, explains, compared) : { result: notRunning(devnet), isWhole: false };
}

async function checkRunning(devnet: Devnet, explains: boolean, compared: Compared | undefined): Promise<Checked> {
  const { plan } = viewOf(devnet);
  const [{ agreed, ...result }, { problems: watched }] = await Promise.all([
    checkNetwork(plan, readAgreed(devnet.paths), compared),
    freshState(devnet),
  ]);
  if (result.agree) writeAgreed(devnet.paths, agreed);
  // The health watch knows the start and the cause.
  const watchedSubjects = new Set(watched.map(({ subject }) => subject));
  const problems = [...watched, ...result.problems.filter(({ subject }) => !watchedSubjects.has(subject))];
  const divergences = explains ? await explainAll(plan, result.divergences) : result.divergences;
  const [divergence = null] = divergences;
  return {
    result: { ...result, divergence, divergences, problems },
    isWhole: result.problems.every(({ what }) => what !== NO_ANSWER),
  };
}

/** Adds an explanation to each divergence of blocks. A node that is behind has nothing to compare. */
async function explainAll(plan: Plan, divergences: readonly Divergence[]): Promise<readonly ExplainedDivergence[]> {
  const { explain } = await import('../divergence/explain/explain.ts');
  return Promise.all(
    divergences.map(async (divergence) => {
      if (divergence.kind === 'behind') return divergence;
      const explanation = await explain(plan, divergence);
      return { ...divergence, explanation };
    }),
  );
}

/** Returns the result for a devnet that is stopped or failed: there is nothing to compare. */
function notRunning(devnet: Devnet): CheckResult {
  const { state } = viewOf(devnet);
  const { failure } = state;
  return {
    agree: false,
    implementations: 0,
    divergence: null,
    divergences: [],
    problems: [
      {
        subject: devnet.paths.name,
        what: `is not running: it is ${state.phase}`,
        since: state.pausedAt ?? state.startedAt,
        because:
          failure === undefined
            ? `run \`devnet start ${devnet.paths.name}\` to resume it`
            : `${failure.task}: ${failure.cause ?? failure.what}`,
      },
    ],
  };
}
