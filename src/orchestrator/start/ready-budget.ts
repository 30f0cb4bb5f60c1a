import { EXIT, Failure } from '../../system/failure.ts';
import { BUDGETED, type StampBudgets } from '../processes/deadlines.ts';
import type { Io } from '../terminal/io.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns `DEVNET_TIMEOUT_FACTOR`, which slow or busy machines set; default: 1. @throws Failure (exit 2) */
export function timeoutFactor(env: Environment): number {
  const factor = Number(env['DEVNET_TIMEOUT_FACTOR'] ?? 1);
  if (factor > 0) return factor;
  throw new Failure('usage', 'DEVNET_TIMEOUT_FACTOR: expected a number above 0', { exit: EXIT.usage });
}

/** Returns one minute times `DEVNET_TIMEOUT_FACTOR`. @throws Failure (exit 2) */
export function defaultBudget(env: Environment): number {
  return 60_000 * timeoutFactor(env);
}

/** The time (ms) that a start may take. */
export interface ReadyBudget {
  readonly budgetMs: number;
  /** Times until single stamps; empty: no stamp has one. */
  readonly stampBudgets: StampBudgets;
}

/** Times of a start as a program gives them. */
export interface GivenBudgets {
  /** Milliseconds for the whole start. */
  readonly budget?: number | undefined;
  /** Milliseconds until single stamps. */
  readonly budgets?: StampBudgets | undefined;
}

/** Checks the times that a program gives. @throws Failure (exit 2) */
export function budgetsOf(io: Pick<Io, 'env'>, { budget, budgets = {} }: GivenBudgets): ReadyBudget {
  const names: readonly string[] = BUDGETED;
  for (const [name, ms] of Object.entries({ budget, ...budgets })) {
    const isKnown = name === 'budget' || names.includes(name);
    // Timers of Node hold 32 bits.
    if (isKnown && (ms === undefined || (ms > 0 && ms < 2 ** 31))) continue;
    throw new Failure(
      'usage',
      isKnown
        ? `${name}: expected milliseconds above 0, found ${JSON.stringify(ms)}`
        : `budgets: unknown stamp ${JSON.stringify(name)}; expected ${names.join(', ')}`,
      { exit: EXIT.usage },
    );
  }
  const longest = Math.max(defaultBudget(io.env), ...Object.values(budgets));
  return { budgetMs: budget ?? longest, stampBudgets: budgets };
}
