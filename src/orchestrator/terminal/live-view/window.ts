import { fitText } from '../fit.ts';

/** Breaks a text into rows of at most `columns`, between words. A word that fits into no row is cut. */
export function wrapText(text: string, columns: number): readonly string[] {
  return fitText(text, columns)
    .split('\n')
    .flatMap((row) => cut(row, columns));
}

function cut(row: string, columns: number): readonly string[] {
  const count = Math.max(1, Math.ceil(row.length / columns));
  return Array.from({ length: count }, (_, index) => row.slice(index * columns, (index + 1) * columns));
}

/** Returns the first row of a window on `count` rows. `scroll`: rows from the end that it shows first. */
export function windowStart(
  count: number,
  room: number,
  { shows, scroll }: { readonly shows: 'first' | 'last'; readonly scroll: number },
): number {
  const most = Math.max(0, count - room);
  const start = Math.min(most, Math.max(0, scroll));
  return shows === 'first' ? start : most - start;
}
