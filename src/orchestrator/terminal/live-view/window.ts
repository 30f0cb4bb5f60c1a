/** Columns at which a word is moved to the next line rather than cut. */
const MAX_WORD_COLUMNS = 24;

/** Breaks a text into lines of at most `columns`, between words where one is near the end. */
export function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    const end = space > 0 && columns - space <= MAX_WORD_COLUMNS ? space : columns;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^ /, '');
  }
  return [...lines, rest];
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
