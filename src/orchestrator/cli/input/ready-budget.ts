import { EXIT, Failure } from '../../../system/failure.ts';
import { parseDuration } from '../../../system/program/options.ts';
import { BUDGETED, type StampBudgets } from '../../processes/deadlines.ts';
import { defaultBudget, type ReadyBudget } from '../../start/ready-budget.ts';
import type { Io } from '../../terminal/io.ts';
import { type OptionValues, textOption } from './command.ts';

/** Reads `--ready-budget`: `300s`, `answering=1s,safe=10s`, or all of these. @throws Failure (exit 2) */
export function readyBudget(io: Pick<Io, 'env'>, options: OptionValues): ReadyBudget {
  const text = textOption(options, 'readyBudget');
  const stampBudgets: StampBudgets = {};
  let whole: number | undefined;
  for (const part of text?.split(',') ?? []) {
    const [left = '', right] = part.split('=', 2);
    const stamp = BUDGETED.find((each) => each === left.trim());
    const ms = parseDuration((right ?? left).trim());
    if (ms === undefined || ms <= 0 || (right !== undefined && stamp === undefined))
      throw new Failure(
        'usage',
        `--ready-budget: expected a duration like 30s, or ${BUDGETED.join(', ')} with one, like ` +
          `answering=1s,safe=10s; found ${JSON.stringify(part)}`,
        { exit: EXIT.usage },
      );
    if (stamp === undefined) whole = ms;
    else stampBudgets[stamp] = ms;
  }
  const longest = Math.max(defaultBudget(io.env), ...Object.values(stampBudgets));
  return { budgetMs: whole ?? longest, stampBudgets };
}
