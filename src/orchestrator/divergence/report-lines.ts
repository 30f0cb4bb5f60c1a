import type { DivergenceReport } from '../state/state.ts';
import { clockTime, spanOf } from '../status/problem-lines.ts';

/** Formats the reports of divergences that stand at a moment `now` (Unix ms), with their first lines. */
export function standingReportLines(reports: readonly DivergenceReport[], now: number): string[] {
  return reports
    .filter(({ over }) => over === undefined)
    .flatMap(({ at, path, lines: [first = '', ...more] }) => [
      `REPORT   ${at === undefined ? '' : `${clockTime(at)} (${spanOf(now - at)} ago): `}${first}`,
      ...more.map((line) => `       ${line}`),
      `         ${path}`,
    ]);
}

/** Formats each report of a divergence that is over as one line with its file. `isUp`: whether the network runs. */
export function endedReportLines(reports: readonly DivergenceReport[], isUp: boolean): string[] {
  return reports
    .filter(({ over }) => !isUp || over !== undefined)
    .map(({ over, path, lines: [first = ''] }) => {
      const end = over === undefined ? 'until the network ended' : `over since ${clockTime(over)}`;
      return `earlier report (${end}): ${first}: ${path}`;
    });
}
