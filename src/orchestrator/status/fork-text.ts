import { spanText } from '../../system/numbers/human.ts';
import { type ForkRow, isoTime, secondsTo, timeOn } from './forks.ts';

/** Formats an activation table for people. `now`: the network's clock, Unix seconds. */
export function tableText(rows: readonly ForkRow[], now: number): string {
  const cells = rows.map((row) => [
    row.chain,
    forkText(row),
    blockText(row),
    timeText(row.time, now),
    nodesText(row, now),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`).join('');
}

function timeText(time: number | null, now: number): string {
  if (time === null) return 'never';
  const left = secondsTo(time, now);
  return `${isoTime(time)}${left === 0 ? '' : ` in ${spanText(left)}`}`;
}

/** Formats one row on a line of its own. */
export function rowText(row: ForkRow, now: number): string {
  return [row.chain, forkText(row), blockText(row), timeText(row.time, now), nodesText(row, now)]
    .filter((part) => part !== '')
    .join('  ');
}

/** What `unofficial` in a table means. */
export const UNOFFICIAL = "unofficial: the fork's upgrade transactions deploy this package's own contracts\n";

function forkText({ fork, bundle }: ForkRow): string {
  return bundle === 'unofficial' ? `${fork} (unofficial)` : fork;
}

function blockText({ block }: ForkRow): string {
  return block === null ? '' : `block ${block}`;
}

function nodesText(row: ForkRow, now: number): string {
  return Object.entries(row.nodes)
    .map(([node, state]) => {
      const override = row.overrides[node];
      const activation = timeOn(row, node);
      // The head of the node stands before a time that the network's clock has passed.
      const isLate = state === 'pending' && activation !== null && secondsTo(activation, now) === 0;
      return `${node} ${isLate ? 'not reached' : state}${override == null ? '' : ` (${timeText(override, now)})`}`;
    })
    .join(', ');
}
